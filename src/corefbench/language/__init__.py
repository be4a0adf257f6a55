"""What is known of languages, as tables."""
