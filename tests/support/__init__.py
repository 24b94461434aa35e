"""Real parts that many tests share."""
