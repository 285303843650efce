"""The blocks that pages are made of: charts, tables, filters, links, empty states and what frames a page."""
