"""Is this AI benchmark still measuring anything?

The one name that an installation brings. The rooms below it (`benchhealth.analytics`, `.warehouse`, `.ingest`,
`.dashboard`, `.pipeline`) and the facts (`data/`) are links to the folders at the top of a checkout, so that an import
reads the same in a checkout and in an installed wheel.
"""
