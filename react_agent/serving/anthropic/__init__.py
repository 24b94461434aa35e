"""`/v1/messages` in Anthropic's shape: what is asked, and how it is answered."""
