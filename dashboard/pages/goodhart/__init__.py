"""Whether a measure that became a target still measures: proxies against targets, and who enters."""
