"""`/v1/chat/completions` in OpenAI's shape: what is asked, and how it is answered."""
