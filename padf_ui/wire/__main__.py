"""Write the TypeScript types of all messages: python -m padf_ui.wire."""

from padf_ui.wire.declarations import DECLARED, declarations

if __name__ == "__main__":
    DECLARED.write_text(declarations(), encoding="utf-8")
