"""What edits cost, stable ids of chunks, and re-indexing without ever mixing versions."""

from overlapkit.updates.changes import ChangeSet, change_set
from overlapkit.updates.edits import (
    EDIT_KINDS,
    EDIT_SEED,
    TRIED,
    Edit,
    EditKind,
    apply_edit,
    draw_edits,
)
from overlapkit.updates.export import export_jsonl, export_parquet, export_rows, heading_paths
from overlapkit.updates.ids import Live, LiveIds, read_ids
from overlapkit.updates.keys import (
    READER,
    chunk_id,
    chunk_ids,
    embedding_key,
    embedding_keys,
    setting_key,
    version_of,
)
from overlapkit.updates.live import LiveCheck, Missing, Mixed, Repeated, Stale, check_live
from overlapkit.updates.plan import (
    Addition,
    DocumentPlan,
    Plan,
    apply_plan,
    plan_jsonl,
    reindex_plan,
)
from overlapkit.updates.snapshots import (
    Chunked,
    Snapshot,
    chunked,
    read_export,
    snapshot,
    snapshot_of_rows,
)
from overlapkit.updates.work import MonthlyWork, UpdateWork, Work, compare_work, update_work

__all__ = [
    "EDIT_KINDS",
    "EDIT_SEED",
    "READER",
    "TRIED",
    "Addition",
    "ChangeSet",
    "Chunked",
    "DocumentPlan",
    "Edit",
    "EditKind",
    "Live",
    "LiveCheck",
    "LiveIds",
    "Missing",
    "Mixed",
    "MonthlyWork",
    "Plan",
    "Repeated",
    "Snapshot",
    "Stale",
    "UpdateWork",
    "Work",
    "apply_edit",
    "apply_plan",
    "change_set",
    "check_live",
    "chunk_id",
    "chunk_ids",
    "chunked",
    "compare_work",
    "draw_edits",
    "embedding_key",
    "embedding_keys",
    "export_jsonl",
    "export_parquet",
    "export_rows",
    "heading_paths",
    "plan_jsonl",
    "read_export",
    "read_ids",
    "reindex_plan",
    "setting_key",
    "snapshot",
    "snapshot_of_rows",
    "update_work",
    "version_of",
]
