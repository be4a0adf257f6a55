"""The pages and the JSON interface; ``routes`` says which role may see which."""
