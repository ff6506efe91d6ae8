"""Learn, Quiz and Glossary."""
