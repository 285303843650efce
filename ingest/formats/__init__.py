"""How files are read: tables, JSON and YAML, numbers and dates, metrics' names, forms that several sources share."""
