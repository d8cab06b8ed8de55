"""How much a user may hand in, and the sentences that say it was too much."""

from dataclasses import dataclass, fields

from overlapkit.errors import InputError, SettingsError

# Streamlit's server.maxUploadSize counts in these, so the two limits can be set alike.
MEGABYTE = 1024 * 1024

# Below this a member's ratio is harmless, and short repetitive texts reach any ratio.
RATIO_FREE_BYTES = MEGABYTE


@dataclass(frozen=True, slots=True)
class Limits:
    """Upper limits of one reading; all of them count what is really read or unpacked.

    ``max_file_bytes`` holds for each file and each archive member, ``max_total_bytes``
    for all files and all that is unpacked from them together. ``max_members`` (entries),
    ``max_unpacked_bytes`` and ``max_ratio`` (unpacked to packed size of one member)
    hold for each archive. Archives in archives are never opened.

    Raises SettingsError for a limit below 1.
    """

    max_file_bytes: int = 200 * MEGABYTE
    max_total_bytes: int = 400 * MEGABYTE
    max_members: int = 10_000
    max_unpacked_bytes: int = 400 * MEGABYTE
    max_ratio: int = 200

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value < 1:
                raise SettingsError(f"{field.name} must be at least 1; got {value}")


DEFAULT_LIMITS = Limits()


def size_text(size: int) -> str:
    """Return a size for a message: exact, and in megabytes where that reads better."""
    exact = f"{size:,} byte{'' if size == 1 else 's'}"
    return f"{size / MEGABYTE:.1f} MB ({exact})" if size >= MEGABYTE else exact


def file_too_large(name: str, size: int, limits: Limits) -> InputError:
    """Return the error for a file above ``max_file_bytes``."""
    return InputError(
        f"{name}: a file may have at most {size_text(limits.max_file_bytes)}; this one has "
        f"{size_text(size)}: split it or raise max_file_bytes"
    )


def total_too_large(name: str, size: int, limits: Limits) -> InputError:
    """Return the error for a file that takes the total above ``max_total_bytes``."""
    return InputError(
        f"{name}: all files together may have at most {size_text(limits.max_total_bytes)}; "
        f"this one's {size_text(size)} would exceed that: leave files out or raise "
        "max_total_bytes"
    )
