"""Years of nights: what stays on the disk, backups, and how a home is put back from one."""
