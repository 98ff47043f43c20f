import { expect, onTestFinished, test } from 'vitest'
import type { HiveTable } from '../../../kernel/hive-table.ts'
import { keyInTable, OutsideRefused, type OutsideTable } from '../../../kernel/outside.ts'
import { MemoryOutside } from '../../../testing/memory-outside.ts'
import { openLoopback } from '../outside/loopback.ts'
import { hiveSource } from './hive-source.ts'

const CONTENT: HiveTable = {
  columns: [{ name: 'id', type: 'bigint' }],
  partitionColumns: [],
  format: { kind: 'parquet' },
}

const tableOf = (name: string, content: OutsideTable['content'] = CONTENT): OutsideTable => ({
  database: 'sales',
  name,
  content,
})

async function setUp(tables: OutsideTable[], mostFiles?: number) {
  const outside = new MemoryOutside()
  outside.kept.set('id', { databases: ['sales'], tables })
  const put = (name: string, ...files: string[]) =>
    outside.put(
      'id',
      Object.fromEntries(files.map((file) => [keyInTable(tableOf(name), `harbour/${file}`), 'x'])),
    )
  const loopback = await openLoopback(outside)
  onTestFinished(() => loopback.close())
  const connect = () => Promise.reject(new Error('no file has to be looked into'))
  const parts = { outside, loopback, connect, ...(mostFiles !== undefined && { mostFiles }) }
  const source = hiveSource({ kind: 'hive', id: 'id', name: 'lake' }, parts)
  onTestFinished(() => source.close())
  const look = async (...named: string[]) => {
    const { tables: shown } = await source.look(new AbortController().signal, (name) => named.includes(name))
    return Object.fromEntries(
      shown.map((table) => [
        table.table,
        'select' in table ? table.select : 'problem' in table && table.problem,
      ]),
    )
  }
  const lists = () => outside.asked.filter((asked) => asked.startsWith('files ')).length
  return { outside, source, put, look, lists }
}

test('files are listed of tables that a statement names, and of no others', async () => {
  const { source, put, look, lists } = await setUp([tableOf('orders'), tableOf('events')])
  put('orders', 'a.parquet')
  put('events', 'b.parquet')
  const none = await look()
  expect([none['orders'], none['events'], lists()]).toEqual([
    expect.stringContaining('was not looked at'),
    expect.stringContaining('was not looked at'),
    0,
  ])
  expect(source.lacks?.((name) => name === 'orders')).toBe(true)
  expect(source.lacks?.(() => false)).toBe(false)
  const some = await look('orders')
  expect([some['orders'], some['events'], lists()]).toEqual([
    expect.stringMatching(/read_parquet.*a\.parquet/),
    expect.stringContaining('was not looked at'),
    1,
  ])
  // What was listed stays when other tables are named.
  expect((await look('events'))['orders']).toMatch(/read_parquet.*a\.parquet/)
  const url = /http:[^']+a\.parquet/.exec(String(some['orders']))?.[0] ?? ''
  expect(source.tableOf(url)).toEqual({ schema: 'sales', name: 'orders' })
})

test('one table that cannot be listed or read says why, and the others are read', async () => {
  const { outside, put, look } = await setUp([
    tableOf('odd', { ...CONTENT, columns: [{ name: 'u', type: 'uniontype<int>' }] }),
    tableOf('orders'),
    tableOf('view', 'it is a view, and views of AWS Glue are not read'),
  ])
  put('orders', 'a.parquet')
  expect(await look('orders', 'odd', 'view')).toEqual({
    odd: 'its column u has the type uniontype<int>, which this engine does not read',
    orders: expect.stringContaining('read_parquet'),
    view: 'it is a view, and views of AWS Glue are not read',
  })
  const { outside: other, look: lookThere } = await setUp([tableOf('orders')])
  other.files = () => Promise.reject(new OutsideRefused('refused', 'the access key may not read it'))
  expect(await lookThere('orders')).toEqual({
    orders: 'what its files are cannot be read: the access key may not read it',
  })
  outside.refuses = new OutsideRefused('refused', 'the credentials have expired')
  await expect(look('orders')).rejects.toThrow('the credentials have expired')
})

test('tables that were listed long ago make room for others, and a statement that names too many files is refused', async () => {
  const { put, look } = await setUp([tableOf('a'), tableOf('b')], 4)
  put('a', '1', '2')
  put('b', '1', '2')
  expect((await look('a'))['a']).toContain('read_parquet')
  const next = await look('b')
  expect([next['b'], (await look())['a']]).toEqual([
    expect.stringContaining('read_parquet'),
    expect.stringContaining('was not looked at'),
  ])
  await expect(look('a', 'b')).rejects.toThrow('the tables that the statement names have more than 4 files')
})

test('a table that is changed or gone is not shown as it was', async () => {
  const tables = [tableOf('orders')]
  const { put, look } = await setUp(tables)
  put('orders', 'a.parquet')
  expect((await look('orders'))['orders']).toContain('read_parquet')
  tables[0] = tableOf('orders', { ...CONTENT, columns: [{ name: 'other', type: 'int' }] })
  const changed = await look()
  expect(changed['orders']).toContain('was not looked at')
  expect(changed['orders']).toContain('"other"')
  tables.pop()
  expect(await look()).toEqual({})
})
