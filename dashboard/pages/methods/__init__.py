"""How everything is computed, defined and judged."""
