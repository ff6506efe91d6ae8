"""What can be asked of uploaded data: results, tables and sentences."""
