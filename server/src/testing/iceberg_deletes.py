"""Files of deleted rows, which PyIceberg reads and does not write."""

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.manifest import (
    DataFile,
    FileFormat,
    ManifestContent,
    ManifestEntry,
    ManifestEntryStatus,
    ManifestWriterV2,
    write_manifest_list,
)
from pyiceberg.typedef import Record


class DeletesWriter(ManifestWriterV2):
    def content(self):
        return ManifestContent.DELETES

    @property
    def _meta(self):
        return {**super()._meta, 'content': 'deletes'}


def snapshot_with_deletes(table, rows, content, name, snapshot_id, equality_ids=None):
    """What differs in one more snapshot of the table, which has a file of deletes."""
    io, metadata = table.io, table.metadata
    location = f'{table.location()}/data/{name}.parquet'
    with io.new_output(location).create(overwrite=True) as out:
        pq.write_table(rows, out)
    size = len(io.new_input(location))
    before = table.current_snapshot()
    sequence = metadata.last_sequence_number + 1
    file = DataFile.from_args(
        content=content,
        file_path=location,
        file_format=FileFormat.PARQUET,
        partition=Record(),
        record_count=rows.num_rows,
        file_size_in_bytes=size,
        equality_ids=equality_ids,
    )
    manifest_path = f'{table.location()}/metadata/{name}-m0.avro'
    with DeletesWriter(table.spec(), table.schema(), io.new_output(manifest_path), snapshot_id, 'deflate') as writer:
        writer.add_entry(
            ManifestEntry.from_args(status=ManifestEntryStatus.ADDED, snapshot_id=snapshot_id, data_file=file)
        )
    manifest = writer.to_manifest_file()
    list_path = f'{table.location()}/metadata/snap-{name}.avro'
    with write_manifest_list(
        format_version=2,
        output_file=io.new_output(list_path),
        snapshot_id=snapshot_id,
        parent_snapshot_id=before.snapshot_id,
        sequence_number=sequence,
        avro_compression='deflate',
    ) as writer:
        writer.add_manifests([*before.manifests(io), manifest])
    return {'snapshot-id': snapshot_id, 'sequence-number': sequence, 'manifest-list': list_path}


def with_id(name, type, field_id):
    return pa.field(name, type, nullable=False, metadata={'PARQUET:field_id': str(field_id)})


def positions(table, wanted):
    """Rows of a file of deletes, for the file of the table that has so many rows."""
    [path] = [f.file.file_path for f in table.scan().plan_files() if f.file.record_count == wanted]
    # Readers find them by these ids, which the format gives them.
    schema = pa.schema([with_id('file_path', pa.string(), 2147483546), with_id('pos', pa.int64(), 2147483545)])
    return lambda *at: pa.table([[path] * len(at), list(at)], schema=schema)
