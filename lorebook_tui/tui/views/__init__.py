"""Views: frozen values of the engine become blocks of inked lines. Pure, and free of Textual."""
