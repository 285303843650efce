"""The two forms in which LLM Stats is read: what its names mean, and the crawl of its site."""
