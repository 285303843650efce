"""What registries of names take for the same, beside what this record holds apart."""
