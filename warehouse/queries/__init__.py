"""Questions in SQL that anybody may ask: read-only, of what may leave, in a process of its own with hard limits."""
