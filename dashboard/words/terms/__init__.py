"""Terms and how they are looked up, and how what stands beside them is cited."""
