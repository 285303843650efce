"""How bytes come: addresses asked with bounds and retries, GitHub's listings, archives unpacked, bodies saved."""
