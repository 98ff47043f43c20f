"""Makes tables in an Iceberg REST server with PyIceberg: python3 nessie-tables.py ENDPOINT KEY SECRET BUCKET URL TOKEN"""

import json
import sys
from datetime import datetime, timedelta

import pyarrow as pa
from pyiceberg.catalog.rest import RestCatalog
from pyiceberg.manifest import DataFileContent
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table.refs import SnapshotRefType
from pyiceberg.table.snapshots import Operation, Snapshot, Summary
from pyiceberg.table.update import AddSnapshotUpdate, AssertRefSnapshotId, SetSnapshotRefUpdate
from pyiceberg.transforms import BucketTransform, DayTransform, IdentityTransform
from pyiceberg.types import LongType, NestedField, StringType, TimestampType
from requests.adapters import HTTPAdapter

from iceberg_deletes import positions, snapshot_with_deletes



class TellingLastColumn(HTTPAdapter):
    """PyIceberg no longer tells the id of the last column of a schema, and this version of the server asks for it."""

    def send(self, request, **options):
        told = json.loads(request.body) if request.body else {}
        schemas = [update for update in told.get('updates', []) if update['action'] == 'add-schema']
        for update in schemas:
            update['last-column-id'] = max(field['id'] for field in update['schema']['fields'])
        if schemas:
            request.prepare_body(json.dumps(told), None)
        return super().send(request, **options)


endpoint, key, secret, bucket, url, token = sys.argv[1:7]
catalog = RestCatalog(
    'tests',
    **{
        'uri': url,
        'token': token,
        'warehouse': bucket,
        's3.endpoint': endpoint,
        's3.access-key-id': key,
        's3.secret-access-key': secret,
        's3.region': 'us-east-1',
        's3.force-virtual-addressing': 'false',
        's3.connect-timeout': '60',
        's3.request-timeout': '60',
        's3.remote-signing-enabled': 'false',
    },
)
catalog._session.mount('http://', TellingLastColumn())

for namespace in ['shop', ('shop', 'archive')]:
    catalog.create_namespace(namespace)

customers = catalog.create_table('shop.customers', pa.schema([('id', pa.int64()), ('name', pa.string())]))
customers.append(pa.table({'id': [1, 2, 3], 'name': ['Ada', 'Brian', 'Chloé']}))

fields = [
    NestedField(1, 'id', LongType()),
    NestedField(2, 'customer', LongType()),
    NestedField(3, 'amount', LongType()),
    NestedField(4, 'ordered_at', TimestampType()),
]
by_day = PartitionSpec(PartitionField(4, 1000, DayTransform(), 'day'), PartitionField(2, 1001, BucketTransform(4), 'b'))
orders = catalog.create_table('shop.orders', Schema(*fields), partition_spec=by_day)
begin = datetime(2026, 1, 1, 12)


def some_orders(ids, **named):
    """Order n is of customer n mod 3 + 1, on day n mod 5 of the year, of 10 n."""
    at = [begin + timedelta(days=n % 5) for n in ids]
    columns = {'id': ids, 'customer': [n % 3 + 1 for n in ids], 'ordered_at': at}
    columns |= {name: [10 * n for n in ids] if value is None else [value] * len(ids) for name, value in named.items()}
    names = [field.name for field in orders.schema().fields]
    return pa.table({name: columns[name] for name in names}, schema=orders.schema().as_arrow())


orders.append(some_orders(list(range(1, 21)), amount=None))
with orders.update_schema() as change:
    change.rename_column('amount', 'price')
    change.add_column('note', StringType())
orders.append(some_orders([21, 22], price=None, note='late'))
# The files that had it are rewritten without it.
orders.delete('id == 20')

by_town = PartitionSpec(PartitionField(1, 1000, IdentityTransform(), 'town'))
town = Schema(NestedField(1, 'town', StringType()), NestedField(2, 'n', LongType()))
visits = catalog.create_table('shop.visits', town, partition_spec=by_town)
visits.append(pa.table({'town': ['Rom', 'Oslo', None], 'n': [1, 2, 3]}, schema=visits.schema().as_arrow()))
visits.overwrite(
    pa.table({'town': ['Oslo'], 'n': [20]}, schema=visits.schema().as_arrow()), overwrite_filter="town == 'Oslo'"
)

catalog.create_table('shop.archive.empty', pa.schema([('day', pa.date32())]))


def commit(table, changed):
    """One more snapshot as the newest one of the table."""
    before = table.current_snapshot()
    snapshot = Snapshot(
        **changed,
        **{'parent-snapshot-id': before.snapshot_id, 'schema-id': before.schema_id},
        **{'timestamp-ms': before.timestamp_ms + 1, 'summary': Summary(Operation.DELETE)},
    )
    catalog.commit_table(
        table,
        (AssertRefSnapshotId(snapshot_id=before.snapshot_id, ref='main'),),
        (
            AddSnapshotUpdate(snapshot=snapshot),
            SetSnapshotRefUpdate(ref_name='main', type=SnapshotRefType.BRANCH, snapshot_id=snapshot.snapshot_id),
        ),
    )


for name, content in [('thinned', DataFileContent.POSITION_DELETES), ('equal', DataFileContent.EQUALITY_DELETES)]:
    table = catalog.create_table(f'shop.{name}', pa.schema([('n', pa.int64())]))
    for part in ([0, 1, 2, 3], [10, 11]):
        table.append(pa.table({'n': part}))
    is_equal = content == DataFileContent.EQUALITY_DELETES
    rows = pa.table({'n': [2]}) if is_equal else positions(table, 4)(1, 3)
    commit(table, snapshot_with_deletes(table, rows, content, name, 4611686018427387905, [1] if is_equal else None))
