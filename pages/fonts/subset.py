"""Cuts STIX Two Math down to the characters that our formulas use: math.woff2, which every page with formulas carries.

The whole font is in the npm package @fontsource/stix-two-math (SIL Open Font License 1.1, see OFL.txt). To cut it again:

    npm pack @fontsource/stix-two-math@5.3.0 && tar xzf fontsource-stix-two-math-5.3.0.tgz
    pip install fonttools brotli
    python pages/fonts/subset.py package/files/stix-two-math-latin-400-normal.woff2
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
CHARACTERS = HERE / "characters.txt"
FONT = HERE / "math.woff2"

ITALIC = 0x1D434
"""Where the italic letters of mathematics begin; a browser takes them for a variable of one letter."""

ITALIC_GREEK = {
    **{chr(0x391 + place): chr(0x1D6E2 + place) for place in range(25)},
    **{chr(0x3B1 + place): chr(0x1D6FC + place) for place in range(25)},
    "∂": chr(0x1D715),
    "ϵ": chr(0x1D716),
}


def drawn(character: str) -> str:
    """The character that a browser draws for a variable of this one letter."""
    if character == "h":
        return "\u210e"  # Unicode had this one before the others
    if character.isascii() and character.isalpha():
        place = ord(character) - ord("a") + 26 if character.islower() else ord(character) - ord("A")
        return chr(ITALIC + place)
    return ITALIC_GREEK.get(character, character)


def covered() -> frozenset[str]:
    """The characters of the cut font: those of the list, and the italic form of each letter in it."""
    listed = {each for each in CHARACTERS.read_text(encoding="utf-8") if each != "\n"}
    return frozenset(listed | {drawn(each) for each in listed})


def main(source: str) -> None:
    """Writes math.woff2 from the whole font."""
    options = ["--layout-features=*", "--no-hinting", "--desubroutinize", "--flavor=woff2", "--drop-tables+=GPOS"]
    text = "".join(sorted(covered()))
    command = ["fonttools", "subset", source, f"--text={text}", f"--output-file={FONT}", *options]
    subprocess.run(command, check=True)


if __name__ == "__main__":
    main(sys.argv[1])
