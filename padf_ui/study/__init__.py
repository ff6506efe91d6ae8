"""What can be asked of the data that somebody brought: results, tables and sentences."""
