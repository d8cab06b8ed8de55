"""How tables write what they hold."""

from typing import Any

import streamlit as st


def counts(*columns: str) -> dict[str, Any]:
    """Return the column settings that write whole numbers as the rest of the page does."""
    return {name: st.column_config.NumberColumn(format="localized") for name in columns}
