"""Print one of the README's two commands, so that what is documented is what is run.

Usage: readme_command.py run|test
"""

import re
import sys
from pathlib import Path

COMMANDS = {"run": 0, "test": 1}


def command(name: str) -> str:
    """Return the first or second console block of the README."""
    text = (Path(__file__).resolve().parent.parent / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"```sh\n(.*?)```", text, flags=re.DOTALL)
    return blocks[COMMANDS[name]].strip()


if __name__ == "__main__":
    print(command(sys.argv[1]))
