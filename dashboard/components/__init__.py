"""The blocks that pages are made of: text that is safe to show, charts, tables, filters, empty states."""
