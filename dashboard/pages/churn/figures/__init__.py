"""Figures of the churn page."""
