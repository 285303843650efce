"""Forecasts as they were published: written once, on their day."""
