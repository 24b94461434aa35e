"""What this package costs, as ratios within one run: `python -m benchmarks`."""
