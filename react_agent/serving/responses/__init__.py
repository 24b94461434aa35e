"""`/v1/responses` in OpenAI's shape, the part that agents use: what is asked, and how it is answered."""
