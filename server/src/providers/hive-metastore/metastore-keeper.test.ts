import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { messageBytes, partitionStruct, serdeOf, startMetastore } from '../../testing/metastore-server.ts'
import { contentOf } from '../hive/table-content.ts'
import { createMetastoreKeeper } from './metastore-keeper.ts'

const stop = new AbortController().signal
const ORDERS = { columns: { id: 'bigint' }, location: 's3a://harbour/lake/orders' }

const openTo = (host: string, silenceMs?: number) =>
  createMetastoreKeeper(host, {
    openEndpoints: [`thrift://${host}`],
    ...(silenceMs !== undefined && { silenceMs }),
  })

async function all<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const found: T[] = []
  for await (const page of pages) found.push(...page)
  return found
}

test('databases, tables and partitions are found, some at once', async () => {
  const names = Array.from({ length: 45 }, (_, at) => `t${String(at).padStart(2, '0')}`)
  const day = { values: ['2026-01-31'], location: 's3://harbour/lake/days/day=2026-01-31' }
  const { host, asked } = await startMetastore({
    sales: {
      tables: Object.fromEntries(names.map((name) => [name, ORDERS])),
      partitions: { t00: { 'day=2026-01-31': partitionStruct('sales', 't00', day) } },
    },
    empty: { tables: {} },
  })
  const keeper = openTo(host)
  expect(await keeper.databases(stop)).toEqual(['sales', 'empty'])
  const tables = await all(keeper.tables('sales', stop))
  expect(tables.map(({ Name }) => Name)).toEqual(names)
  expect(asked.filter((name) => name === 'get_table_objects_by_name_req')).toHaveLength(3)
  expect(await all(keeper.tables('empty', stop))).toEqual([])
  expect(await keeper.table({ database: 'sales', name: 't07' }, stop)).toMatchObject({
    Name: 't07',
    TableType: 'EXTERNAL_TABLE',
    StorageDescriptor: {
      Columns: [{ Name: 'id', Type: 'bigint' }],
      Location: ORDERS.location,
      SerdeInfo: { SerializationLibrary: serdeOf('ql.io.parquet.serde.ParquetHiveSerDe') },
    },
  })
  const partitions = await all(keeper.partitions({ database: 'sales', name: 't00' }, 10, stop))
  expect(partitions).toMatchObject([{ Values: day.values, StorageDescriptor: { Location: day.location } }])
})

test('a metastore that does not know the newer call is asked by the older one', async () => {
  const { host, asked, faults } = await startMetastore({ sales: { tables: { orders: ORDERS } } })
  faults.push((socket, name) => void socket.write(messageBytes(3, name, { 1: 'Invalid method name', 2: 1 })))
  expect((await openTo(host).table({ database: 'sales', name: 'orders' }, stop)).Name).toBe('orders')
  expect(asked).toEqual(['get_table_objects_by_name_req', 'get_table_objects_by_name'])
})

test('what is not there is missing, and nothing of what a metastore says of a failure is repeated', async () => {
  const { host, faults } = await startMetastore({ sales: { tables: {} } })
  const keeper = openTo(host)
  await expect(keeper.table({ database: 'sales', name: 'gone' }, stop)).rejects.toMatchObject({
    reason: 'missing',
    message: 'the Hive metastore does not have it',
  })
  faults.push(
    (socket, name) =>
      void socket.write(messageBytes(2, name, { 1: { struct: { 1: 'password of the database: x' } } })),
  )
  await expect(keeper.databases(stop)).rejects.toThrow(/^it reports an error for get_all_databases$/)
  faults.push((socket, name) => void socket.write(messageBytes(3, name, { 1: 'x', 2: 6 })))
  await expect(keeper.databases(stop)).rejects.toThrow(/^it does not answer get_all_databases$/)
})

test('more partitions than a table may have are refused before they are read', async () => {
  const names = Object.fromEntries(['a', 'b', 'c'].map((name) => [`day=${name}`, {}]))
  const { host, asked } = await startMetastore({
    sales: { tables: { days: ORDERS }, partitions: { days: names } },
  })
  const of = { database: 'sales', name: 'days' }
  await expect(all(openTo(host).partitions(of, 2, stop))).rejects.toThrow('it has more than 2 partitions')
  expect(asked).toEqual(['get_partition_names'])
})

test.each([
  ['HTTP', Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'), 'no message of Thrift'],
  [
    'a length below zero',
    Buffer.from([0x80, 1, 0, 2, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0]),
    'no message of Thrift',
  ],
  [
    'an unknown type',
    Buffer.concat([messageBytes(2, 'get_all_databases', {}).subarray(0, -1), Buffer.of(99, 0, 0, 0)]),
    'no message',
  ],
  ['another call', messageBytes(2, 'get_all_tables', { 0: { texts: [] } }), 'not one to get_all_databases'],
  ['another kind of value', messageBytes(2, 'get_all_databases', { 0: 7 }), 'not the one that was asked for'],
  [
    'more than one answer',
    Buffer.concat([messageBytes(2, 'get_all_databases', {}), Buffer.of(0)]),
    'followed by something else',
  ],
  [
    'a list within a list, 100 deep',
    Buffer.concat([
      messageBytes(2, 'get_all_databases', {}).subarray(0, -1),
      Buffer.of(15, 0, 0),
      ...Array.from({ length: 100 }, () => Buffer.of(15, 0, 0, 0, 1)),
    ]),
    'too deep',
  ],
  [
    'millions of values',
    Buffer.concat([
      messageBytes(2, 'get_all_databases', {}).subarray(0, -1),
      Buffer.of(15, 0, 0, 2, 0, 15, 0, 0),
      Buffer.alloc(1_000_000),
    ]),
    'far too long',
  ],
  [
    'a text of 3 MB',
    messageBytes(2, 'get_all_databases', { 0: { texts: ['x'.repeat(3_000_000)] } }),
    'far too long',
  ],
])('an answer that makes no sense is refused: %s', async (_, answer, why) => {
  const { host, faults } = await startMetastore({})
  faults.push((socket) => void socket.write(answer))
  await expect(openTo(host).databases(stop)).rejects.toMatchObject({
    reason: 'nonsense',
    message: expect.stringContaining(why),
  })
})

test('an answer that comes in single bytes is put together', async () => {
  const { host, faults } = await startMetastore({})
  const answer = messageBytes(2, 'get_all_databases', {
    0: { texts: ['sales', 'Ærø'] },
    5: { words: { a: 'b' } },
  })
  faults.push((socket) => {
    socket.setNoDelay(true)
    const send = (at: number): void => {
      if (at < answer.length) socket.write(answer.subarray(at, at + 1), () => setImmediate(send, at + 1))
    }
    send(0)
  })
  expect(await openTo(host).databases(stop)).toEqual(['sales', 'Ærø'])
})

test('a metastore that hangs up, says nothing, or is not there is reported', async () => {
  const { host, faults } = await startMetastore({})
  faults.push((socket) => void socket.destroy())
  await expect(openTo(host).databases(stop)).rejects.toThrow(/it ends the connection|it hangs up/)
  faults.push(() => undefined)
  await expect(openTo(host, 50).databases(stop)).rejects.toThrow('it does not answer within 0.05 s')
  const ended = new AbortController()
  faults.push(() => ended.abort())
  await expect(openTo(host).databases(ended.signal)).rejects.toMatchObject({ reason: 'unreachable' })
  await expect(openTo(host).databases(AbortSignal.abort())).rejects.toMatchObject({ reason: 'unreachable' })
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  await expect(openTo(`127.0.0.1:${port}`).databases(stop)).rejects.toThrow('no server answers there')
})

test('only addresses that the operator has allowed are reached in a closed network, and others with TLS alone', async () => {
  const { host, asked } = await startMetastore({ sales: { tables: {} } })
  const closed = (openEndpoints: readonly string[], to = host) =>
    createMetastoreKeeper(to, { openEndpoints }).databases(stop)
  await expect(closed([])).rejects.toThrow('it is in a private network')
  await expect(closed(['thrift://127.0.0.1:1', `http://${host}`])).rejects.toThrow(
    'it is in a private network',
  )
  await expect(closed([], host.replace('127.0.0.1', 'localhost'))).rejects.toThrow(
    'it is in a private network',
  )
  await expect(closed([`thrift+tls://${host}`])).rejects.toMatchObject({
    reason: expect.stringMatching('unreachable'),
  })
  expect(asked).toEqual([])
  expect(await closed([`thrift://${host}`])).toEqual(['sales'])
})

test('tables that only Hive can put together are not read', async () => {
  const { host } = await startMetastore({
    sales: {
      tables: {
        acid: { ...ORDERS, words: { transactional: 'true' } },
        packed: {
          ...ORDERS,
          serde: serdeOf('serde2.lazy.LazySimpleSerDe'),
          inputFormat: 'org.apache.hadoop.mapred.SequenceFileInputFormat',
        },
        elsewhere: { ...ORDERS, location: 'hdfs://namenode/lake' },
        seen: { ...ORDERS, type: 'MATERIALIZED_VIEW' },
        orders: ORDERS,
      },
    },
  })
  const keeper = openTo(host)
  const tables = await all(keeper.tables('sales', stop))
  expect(tables.map((table) => contentOf(table, keeper.label))).toEqual([
    'it is a transactional table, whose files only Hive can put together',
    'its files are in the format SequenceFile, and Parquet, CSV and JSON files are read',
    'its files do not lie in a bucket that speaks S3',
    'it is a view, and views of the Hive metastore are not read',
    expect.objectContaining({ kind: 'files', home: { bucket: 'harbour', path: 'lake/orders' } }),
  ])
})
