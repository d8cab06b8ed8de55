"""A session's work as one file: what it holds, writing, reading, and texts changed since.

The file is JSON of ``VERSION``. A newer version is refused; what this version does not know
at the top of the file is kept and ignored, so that a file may gain fields without a new one.
It holds no text of the corpus unless asked to (reasons of rows left out may quote a few words).
"""

from overlapkit.workspace.changes import Carried, Changes, carry_questions, changed_documents
from overlapkit.workspace.model import SavedDocument, SavedWorkspace, workspace_of
from overlapkit.workspace.reading import VERSION, read_workspace
from overlapkit.workspace.writing import write_workspace

__all__ = [
    "VERSION",
    "Carried",
    "Changes",
    "SavedDocument",
    "SavedWorkspace",
    "carry_questions",
    "changed_documents",
    "read_workspace",
    "workspace_of",
    "write_workspace",
]
