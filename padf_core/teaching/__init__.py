"""Teaching material: the glossary, lessons as data, and quiz questions."""
