"""Rows as lines of JSON, text as it is."""

import json
import re
from collections.abc import Mapping

# Lone surrogates, which UTF-8 cannot hold, and characters at which some readers end a line.
_TO_ESCAPE = re.compile("[\ud800-\udfff\u0085\u2028\u2029]")


def json_line(row: Mapping[str, object]) -> str:
    """Return a row as one line of JSON, its newline included; it can be written as UTF-8."""
    text = json.dumps(row, ensure_ascii=False, allow_nan=False)
    return _TO_ESCAPE.sub(lambda found: f"\\u{ord(found[0]):04x}", text) + "\n"
