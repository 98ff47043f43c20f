import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { type HiveTable, NULL_PARTITION } from '../../../kernel/hive-table.ts'
import { folderOf, hiveReading, readingOf, unlistedOf } from './reading.ts'

async function setUp() {
  const folder = await mkdtemp(join(tmpdir(), 'glue-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  const rows = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJson()
  const put = async (name: string, content: string | Uint8Array): Promise<string> => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), content)
    return join(folder, name)
  }
  const write = async (name: string, select: string): Promise<string> => {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await connection.run(`COPY (${select}) TO '${join(folder, name)}' (FORMAT parquet)`)
    return join(folder, name)
  }
  const partsBefore = folder.split('/').length
  const show = async (table: HiveTable, files: readonly string[]) => {
    const select = readingOf(hiveReading(table), { files, partsBefore, none: join(folder, 'none') })
    await connection.run(`CREATE OR REPLACE VIEW t AS ${select}`)
  }
  return { rows, put, write, show, connection }
}

const columns = (...all: readonly (readonly [string, string])[]) =>
  all.map(([name, type]) => ({ name, type }))

const TABLE: HiveTable = {
  columns: columns(['id', 'bigint'], ['name', 'string']),
  partitionColumns: [],
  format: { kind: 'parquet' },
}

const CSV = {
  kind: 'csv',
  delimiter: ',',
  quote: '',
  escape: '',
  skippedLines: 0,
  nullText: String.raw`\N`,
} as const

test('Parquet files are read by the names of columns, whatever their letter case, order and number', async () => {
  const { rows, write, show } = await setUp()
  const files = [
    await write('a.parquet', `SELECT 'x' AS "Name", 1::INTEGER AS "ID", 9 AS other`),
    await write('b.parquet', `SELECT 2::BIGINT AS id`),
  ]
  await show(TABLE, files)
  expect(await rows('SELECT * FROM t ORDER BY id')).toEqual([
    ['1', 'x'],
    ['2', null],
  ])
  expect(await rows('SELECT column_name, column_type FROM (DESCRIBE t)')).toEqual([
    ['id', 'BIGINT'],
    ['name', 'VARCHAR'],
  ])
})

test('partitions are columns, and files of others are not opened', async () => {
  const { rows, put, write, show } = await setUp()
  const at = (year: string, town: string) => `${folderOf(year)}/${folderOf(town)}/f.parquet`
  const files = [
    await write(at('2025', 'Ærø / a=b'), `SELECT 1 AS id, 'x' AS name`),
    await write(at('2026', NULL_PARTITION), `SELECT 2 AS id, 'y' AS name`),
    await put(at('2027', ''), 'this is no Parquet file'),
  ]
  await show({ ...TABLE, partitionColumns: columns(['year', 'int'], ['town', 'string']) }, files)
  expect(await rows('SELECT * FROM t WHERE year < 2027 ORDER BY id')).toEqual([
    ['1', 'x', 2025, 'Ærø / a=b'],
    ['2', 'y', 2026, null],
  ])
  expect(await rows('SELECT id FROM t WHERE town IS NULL')).toEqual([['2']])
  await expect(rows('SELECT * FROM t')).rejects.toThrow('f.parquet')
})

test('a table without files has its columns and no rows', async () => {
  const { rows, put, show } = await setUp()
  await put('none', '')
  for (const format of [CSV, { kind: 'json', ignoresMalformed: false }, { kind: 'parquet' }] as const) {
    await show({ ...TABLE, format, partitionColumns: columns(['day', 'date']) }, [])
    expect(await rows('SELECT * FROM t')).toEqual([])
    expect(await rows('SELECT column_name, column_type FROM (DESCRIBE t)')).toEqual([
      ['id', 'BIGINT'],
      ['name', 'VARCHAR'],
      ['day', 'DATE'],
    ])
  }
})

test('text with a character between values: short and long lines, NULL, nothing, headers and escapes', async () => {
  const { rows, put, show } = await setUp()
  const table = { ...TABLE, columns: columns(['id', 'int'], ['name', 'string'], ['at', 'date']) }
  const control = await put('a', '1\u0001Skagen\u00012026-01-31\u0001more\n2\u0001\\N\n\u0001\u0001\n')
  await show({ ...table, format: { ...CSV, delimiter: '\u0001' } }, [control])
  expect(await rows('SELECT * FROM t')).toEqual([
    [1, 'Skagen', '2026-01-31'],
    [2, null, null],
    [null, '', null],
  ])
  const piped = await put('b.gz', gzipSync('id|name\n1|a\\|b|2026-01-31\n2|"q"|\n'))
  await show({ ...table, format: { ...CSV, delimiter: '|', escape: '\\', skippedLines: 1 } }, [piped])
  expect(await rows('SELECT * FROM t')).toEqual([
    [1, 'a|b', '2026-01-31'],
    [2, '"q"', null],
  ])
  const wrong = await put('c', 'many,x,\n')
  await show({ ...table, format: CSV }, [wrong])
  await expect(rows('SELECT * FROM t')).rejects.toThrow(/Could not convert string 'many' to INT32/)
})

test('quoted text: delimiters, line feeds, and quotes that are doubled or escaped', async () => {
  const { rows, put, show } = await setUp()
  const format = { ...CSV, quote: '"', escape: '\\', skippedLines: 1, nullText: null }
  const file = await put('a.csv', 'id,name\n"1","a "",x"" y"\n2,"l1\\"z"\n"3","two\nlines"\n4,""\n5,\\N\n')
  await show({ ...TABLE, format }, [file])
  expect(await rows('SELECT * FROM t ORDER BY id')).toEqual([
    ['1', 'a ",x" y'],
    ['2', 'l1"z'],
    ['3', 'two\nlines'],
    ['4', ''],
    ['5', expect.stringContaining('N')],
  ])
})

test('JSON: keys whatever their letter case at every depth, missing and null values, text of anything', async () => {
  const { rows, put, show } = await setUp()
  const table: HiveTable = {
    columns: columns(
      ['id', 'bigint'],
      ['name', 'string'],
      ['owner', 'struct<name:string,tags:array<string>>'],
      ['prices', 'map<string,decimal(9,2)>'],
      ['legs', 'array<struct<to:string,nm:double>>'],
    ),
    partitionColumns: [],
    format: { kind: 'json', ignoresMalformed: false },
  }
  const lines = [
    {
      ID: 1,
      Name: 'x',
      Owner: { NAME: 'A', Tags: ['p', 'q'] },
      prices: { A: 1.5 },
      legs: [{ TO: 'B', nm: 2 }],
    },
    { id: 2, name: { any: 1 }, owner: null },
    {},
  ]
  const file = await put('a.json', `${lines.map((line) => JSON.stringify(line)).join('\n')}\n\n`)
  await show(table, [file])
  expect(await rows('SELECT id, name, owner.name, owner.tags, prices, legs FROM t ORDER BY id')).toEqual([
    ['1', 'x', 'A', ['p', 'q'], [{ key: 'A', value: '1.50' }], [{ to: 'B', nm: 2 }]],
    ['2', '{"any":1}', null, null, null, null],
    [null, null, null, null, null, null],
  ])
  expect(await rows('SELECT owner IS NULL FROM t WHERE id = 2')).toEqual([[true]])
  const bad = await put('b.json', '{"id":1}\n{"id":\n')
  await show(table, [bad])
  await expect(rows('SELECT * FROM t')).rejects.toThrow('Malformed JSON')
  await show({ ...table, format: { kind: 'json', ignoresMalformed: true } }, [bad])
  expect(await rows('SELECT id FROM t WHERE id IS NOT NULL')).toEqual([['1']])
})

test('types and names that a format cannot hold are refused with the column', () => {
  const wrong = (more: Partial<HiveTable>) => () => hiveReading({ ...TABLE, ...more })
  expect(wrong({ columns: columns(['x', 'array<int>']), format: CSV })).toThrow(
    'its column x has the type array<int>, which is not read from CSV',
  )
  expect(
    wrong({
      columns: columns(['x', 'map<string,binary>']),
      format: { kind: 'json', ignoresMalformed: false },
    }),
  ).toThrow('which is not read from JSON')
  expect(wrong({ partitionColumns: columns(['p', 'array<int>']) })).toThrow('its partition column p')
  expect(wrong({ partitionColumns: columns(['ID', 'int']) })).toThrow('two columns with the name ID')
  expect(wrong({ columns: columns(['a\nb', 'int']) })).toThrow('a name that is not allowed')
  expect(
    wrong({ columns: columns(['filename', 'string']), partitionColumns: columns(['p', 'int']) }),
  ).toThrow('by which these would be found')
})

test('a table that was not looked at shows its columns, and is never taken for an empty one', async () => {
  const { rows, connection } = await setUp()
  const select = unlistedOf(
    [
      { name: 'a', written: 'BIGINT' },
      { name: 'b', written: 'INTEGER[]' },
    ],
    {
      catalog: 'lake',
      database: 'sales',
      name: 'orders',
    },
  )
  await connection.run(`CREATE VIEW t AS ${select}`)
  expect(await rows('SELECT column_name, column_type FROM (DESCRIBE t)')).toEqual([
    ['a', 'BIGINT'],
    ['b', 'INTEGER[]'],
  ])
  for (const sql of ['SELECT a FROM t', 'SELECT count(*) FROM t', 'SELECT 1 FROM t WHERE a = 1'])
    await expect(rows(sql)).rejects.toThrow('The table sales.orders of the catalog lake was not looked at')
})
