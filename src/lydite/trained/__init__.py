"""What is made from raw text: recipe and model together."""
