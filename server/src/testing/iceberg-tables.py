"""Makes Iceberg tables in a bucket with PyIceberg and prints their metadata: python3 iceberg-tables.py ENDPOINT KEY SECRET BUCKET"""

import json
import sys
import tempfile
from datetime import date, datetime, timezone
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog
from pyiceberg.manifest import DataFileContent
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.transforms import IdentityTransform
from pyiceberg.types import DateType, LongType, NestedField, StringType

from iceberg_deletes import positions, snapshot_with_deletes

endpoint, key, secret, bucket = sys.argv[1:5]
catalog = SqlCatalog(
    'tests',
    **{
        'uri': f'sqlite:///{tempfile.mkdtemp()}/catalog.db',
        'warehouse': f's3://{bucket}/warehouse',
        's3.endpoint': endpoint,
        's3.access-key-id': key,
        's3.secret-access-key': secret,
        's3.region': 'us-east-1',
        's3.force-virtual-addressing': 'false',
        's3.connect-timeout': '60',
        's3.request-timeout': '60',
    },
)
made = {}


def keep(name, table, **changed):
    made[name] = json.dumps({**json.loads(table.metadata.model_dump_json()), **changed})


def with_deletes(table, rows, content, name, equality_ids=None):
    """The table's metadata with one more snapshot that has a file of deletes."""
    changed = snapshot_with_deletes(table, rows, content, name, 4611686018427387905, equality_ids)
    told = json.loads(table.metadata.model_dump_json())
    told['snapshots'].append({**told['snapshots'][-1], **changed})
    told['current-snapshot-id'] = changed['snapshot-id']
    told['last-sequence-number'] = changed['sequence-number']
    return json.dumps(told)


for namespace in ['sales', 'bare', ('deep', ), ('deep', 'er')]:
    catalog.create_namespace(namespace)

orders = catalog.create_table(
    'sales.orders',
    pa.schema([('id', pa.int32()), ('amount', pa.float64()), ('who', pa.string())]),
)
orders.append(pa.table({'id': pa.array([1, 2, 3], pa.int32()), 'amount': [1.0, 2.0, 3.0], 'who': ['a', 'b', 'c']}))
with orders.update_schema() as change:
    change.rename_column('amount', 'price')
    change.delete_column('who')
    change.update_column('id', field_type=LongType())
    change.add_column('note', StringType())
with orders.update_schema() as change:
    change.add_column('amount', StringType())
orders.append(
    pa.table({'id': pa.array([4], pa.int64()), 'price': [4.0], 'note': ['n'], 'amount': ['much']})
)
keep('sales.orders', orders)

types = catalog.create_table(
    'sales.types',
    pa.schema(
        [
            ('b', pa.bool_()),
            ('f', pa.float32()),
            ('d', pa.decimal128(9, 2)),
            ('day', pa.date32()),
            ('t', pa.time64('us')),
            ('ts', pa.timestamp('us')),
            ('tz', pa.timestamp('us', 'UTC')),
            ('bin', pa.binary()),
            ('l', pa.list_(pa.int64())),
            ('m', pa.map_(pa.string(), pa.int64())),
            ('s', pa.struct([('x', pa.int64()), ('y', pa.string())])),
        ]
    ),
)
noon = datetime(2026, 1, 2, 12, 0, 0, 500)
row = {'b': True, 'f': 1.5, 'd': Decimal('1.25'), 'day': date(2026, 1, 2), 't': noon.time(), 'ts': noon}
row |= {'tz': noon.replace(tzinfo=timezone.utc), 'bin': b'\x00\xff', 'l': [1, 2], 'm': [('k', 1)]}
types.append(pa.Table.from_pylist([row | {'s': {'x': 1, 'y': 'one'}}], schema=types.schema().as_arrow()))
with types.update_schema() as change:
    change.add_column(('s', 'z'), LongType())
keep('sales.types', types)

days = Schema(NestedField(1, 'day', DateType()), NestedField(2, 'town', StringType()), NestedField(3, 'n', LongType()))
spec = PartitionSpec(PartitionField(2, 1000, IdentityTransform(), 'town'), PartitionField(1, 1001, IdentityTransform(), 'day'))
visits = catalog.create_table('sales.visits', days, partition_spec=spec)
visits.append(
    pa.table(
        {'day': [date(2026, 1, 1), date(2026, 1, 2), None], 'town': ['New York/é', 'Rom', None], 'n': [1, 2, 3]},
        schema=visits.schema().as_arrow(),
    )
)
visits.delete("town == 'Rom'")
keep('sales.visits', visits)

old = catalog.create_table('sales.old', pa.schema([('n', pa.int64())]), properties={'format-version': '1'})
old.append(pa.table({'n': [7]}))
keep('sales.old', old)

keep('sales.none', catalog.create_table('sales.none', pa.schema([('n', pa.int64())])))

plain = catalog.create_table('sales.plain', pa.schema([('n', pa.int64())]))
for part in ([0, 1, 2, 3], [10, 11]):
    plain.append(pa.table({'n': part}))
keep('sales.late', plain, **{'format-version': 3})
made['sales.thinned'] = with_deletes(
    plain, positions(plain, 4)(1, 3), DataFileContent.POSITION_DELETES, 'positions'
)
made['sales.equal'] = with_deletes(
    plain, pa.table({'n': [2]}), DataFileContent.EQUALITY_DELETES, 'equality', equality_ids=[1]
)

renamed = catalog.create_table('sales.renamed', pa.schema([('s', pa.struct([('x', pa.int64())]))]))
renamed.append(pa.table({'s': [{'x': 1}]}))
with renamed.update_schema() as change:
    change.rename_column('s.x', 'y')
keep('sales.renamed', renamed)

added = catalog.create_table('sales.added', pa.schema([('n', pa.int64())]))
foreign = f'{added.location()}/data/foreign.parquet'
with added.io.new_output(foreign).create() as out:
    pq.write_table(pa.table({'n': [1]}), out)
added.add_files([foreign])
keep('sales.added', added)

strange = catalog.create_table(('deep', 'er', 'a b+é'), pa.schema([('n', pa.int64())]), location=f's3://{bucket}/warehouse/a b+é')
strange.append(pa.table({'n': [1]}))
keep('deep\x1fer.a b+é', strange)

elsewhere = catalog.create_table('sales.elsewhere', pa.schema([('n', pa.int64())]))
elsewhere.append(pa.table({'n': [1]}))
keep('sales.elsewhere', elsewhere, location=f's3://{bucket}/warehouse/other')

print(json.dumps({'namespaces': [['sales'], ['bare'], ['deep'], ['deep', 'er']], 'tables': made}))
