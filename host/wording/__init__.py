"""What the host's replies sound like. All words that people read are in this package."""
