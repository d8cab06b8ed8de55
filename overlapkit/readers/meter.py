"""Count what an archive unpacks, and stop it at a limit."""

from dataclasses import dataclass

from overlapkit.errors import InputError
from overlapkit.readers.limits import (
    RATIO_FREE_BYTES,
    Limits,
    size_text,
    total_too_large,
)


class ArchiveLimitError(InputError):
    """A limit that concerns an archive as a whole, not one member."""


@dataclass(slots=True)
class Meter:
    """The bytes that an archive of ``size`` bytes has unpacked.

    ``room`` is what the total limit leaves to it. Sizes that an archive declares are
    held against nothing, except that no member can be packed in more than its archive.
    """

    archive: str
    size: int
    limits: Limits
    room: int
    total: int = 0

    def count(self, member: str, block: int, unpacked: int, packed: int) -> None:
        """Add a block, which makes ``unpacked`` bytes of a member of ``packed`` bytes.

        Raises ArchiveLimitError above a limit of the archive, InputError above that of a
        single file.
        """
        self.total += block
        limits = self.limits
        if self.total > limits.max_unpacked_bytes:
            raise ArchiveLimitError(
                f"{self.archive}: an archive may unpack to at most "
                f"{size_text(limits.max_unpacked_bytes)}; this one unpacks to more: "
                "split it or raise max_unpacked_bytes"
            )
        if self.total > self.room:
            raise ArchiveLimitError(str(total_too_large(self.archive, self.total, limits)))
        if unpacked > max(RATIO_FREE_BYTES, min(packed, self.size) * limits.max_ratio):
            raise ArchiveLimitError(
                f"{self.archive}: a member may unpack to at most {limits.max_ratio} times its "
                f"packed size; {member} unpacks to more: leave it out or raise max_ratio"
            )
        if unpacked > limits.max_file_bytes:
            raise InputError(
                f"{self.archive}: a file may have at most {size_text(limits.max_file_bytes)}; "
                f"{member} unpacks to more: split it or raise max_file_bytes"
            )
