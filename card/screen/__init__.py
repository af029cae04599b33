"""What the card looks like: widgets that show a dialogue, and the app that puts them together."""
