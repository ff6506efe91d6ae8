"""Learn, quiz and glossary: what is computed, shown and drawn there."""
