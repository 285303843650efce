"""The dashboard: pages over a published generation. It computes nothing statistical."""
