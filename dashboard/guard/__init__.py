"""What stands between the network and the dashboard: names, headers, pace, login. SECURITY.md says against whom."""
