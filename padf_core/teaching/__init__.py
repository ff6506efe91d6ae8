"""Teaching: the glossary, lessons as data, and questions that have exactly one right answer."""
