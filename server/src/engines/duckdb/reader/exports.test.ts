import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { accountSpace, openSession, removeSpace } from '../../conformance/fixture.ts'
import { runKept } from '../../conformance/run-kept.ts'
import type { ExportFormat, OpenReader } from '../../../results/reader.ts'
import type { Engine } from '../../engine/engine.ts'
import { createInProcessDuckdb } from '../in-process.ts'

let engine: Engine
let reader: OpenReader
let directory: string
beforeAll(async () => {
  const space = await accountSpace()
  directory = space.directory
  const provider = createInProcessDuckdb()
  engine = await provider.open(space)
  reader = await provider.openReader(space)
  return async () => {
    await reader.close()
    await engine.close()
    await removeSpace(space)
  }
})

async function exported(sql: string, format: ExportFormat, timeZone = 'UTC'): Promise<string> {
  const { queryId } = await runKept(await openSession(engine, { timeZone }), sql)
  const file = join(directory, 'exports', `${queryId}.${format}`)
  await engine.settled(queryId)
  await reader.export(queryId, { format, file, maxBytes: 100_000_000 })
  return file
}

async function asked(sql: string): Promise<unknown[][]> {
  const connection = await (await DuckDBInstance.create()).connect()
  const rows = await connection.runAndReadAll(sql)
  return rows.getRowsJson()
}

test('an array that is NULL lies in Parquet as other readers take it: as one missing value, at any depth', async () => {
  const file = await exported(
    `SELECT [1, 2, 3]::INTEGER[3] AS a, {'x': [1, 2]::INTEGER[2], 'l': [[3, 4]::INTEGER[2], NULL]} AS s,
       MAP {'k': [5, 6]::INTEGER[2]} AS m
     UNION ALL SELECT NULL, {'x': NULL, 'l': NULL}, MAP {'k': NULL}`,
    'parquet',
  )
  const values = `SELECT replace(path_in_schema, ' ', '') AS path, num_values::INTEGER FROM parquet_metadata('${file}')`
  expect(await asked(`${values} WHERE path NOT LIKE '%key' ORDER BY path`)).toEqual([
    ['a,list,element', 4],
    ['m,key_value,value,list,element', 3],
    ['s,l,list,element,list,element', 4],
    ['s,x,list,element', 3],
  ])
  expect(await asked(`SELECT a, s, m::VARCHAR FROM '${file}'`)).toEqual([
    [[1, 2, 3], { x: [1, 2], l: [[3, 4], null] }, '{k=[5, 6]}'],
    [null, { x: null, l: null }, '{k=NULL}'],
  ])
})

test('a row of a single NULL is a line of CSV that no reader drops', async () => {
  const numbers = await exported('SELECT a FROM (VALUES (1), (NULL), (3)) t(a)', 'csv')
  expect(await readFile(numbers, 'utf8')).toBe('a\n1\n""\n3\n')
  expect(await asked(`FROM read_csv('${numbers}')`)).toEqual([['1'], [null], ['3']])
  const two = await exported(`SELECT a, 'x' AS b FROM (VALUES (1), (NULL)) t(a)`, 'csv')
  expect(await readFile(two, 'utf8')).toBe('a,b\n1,x\n,x\n')
})

test('columns have the same names in every format, though several were named alike', async () => {
  const sql = 'SELECT 1 AS a, 2 AS a, 3 AS "A", 4 AS file_row_number'
  const [header = ''] = (await readFile(await exported(sql, 'csv'), 'utf8')).split('\n')
  const names = header.split(',')
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(4)
  const json = JSON.parse(await readFile(await exported(sql, 'json'), 'utf8')) as object[]
  expect(Object.keys(json[0] ?? {})).toEqual(names)
  const parquet = await exported(sql, 'parquet')
  expect((await asked(`SELECT column_name FROM (DESCRIBE FROM '${parquet}')`)).flat()).toEqual(names)
  expect(await sheetTexts(await exported(sql, 'xlsx'))).toEqual(names)
})

test('pain 7: a sheet shows instants in the time zone of their session, as the rows do', async () => {
  const sql = `SELECT '2024-07-01 12:00:00+00'::TIMESTAMPTZ + INTERVAL (i) SECOND AS at FROM range(5000) t(i)`
  const { cells, formats } = await sheetTimes(await exported(sql, 'xlsx', 'Europe/Berlin'))
  expect(formats).toEqual(['yyyy-mm-dd hh:mm:ss"+02"'])
  expect([cells.length, cells[0], cells.at(-1)]).toEqual([
    5000,
    '2024-07-01T14:00:00.000Z',
    '2024-07-01T15:23:19.000Z',
  ])
})

test.for([
  [`DATE '2026-02-28'`, ['2026-02-28T00:00:00.000Z'], ['yyyy-mm-dd']],
  [`TIMESTAMP '1999-12-31 23:59:59.5'`, ['1999-12-31T23:59:59.500Z'], ['yyyy-mm-dd hh:mm:ss.000']],
  [`TIME '06:30:00'`, ['1899-12-30T06:30:00.000Z'], ['hh:mm:ss']],
  [`TIMESTAMP_S '2026-02-28 01:02:03'`, ['2026-02-28T01:02:03.000Z'], ['yyyy-mm-dd hh:mm:ss']],
  [`DATE '1850-01-01'`, [], []],
  [`DATE 'infinity'`, [], []],
  [`NULL::DATE`, [], []],
] as const)('in a sheet %s is a date where sheets have it', async ([value, cells, formats]) => {
  const file = await exported(`SELECT ${value} AS v`, 'xlsx')
  expect(await sheetTimes(file)).toEqual({ cells, formats })
})

test('in a sheet every DOUBLE is a number, and whole numbers are as long as sheets keep them exact', async () => {
  const sql = `SELECT * FROM (VALUES (0.1::DOUBLE + 0.2, 1e300::DOUBLE, 9007199254740993, 12.50::DECIMAL(9,2), 'nan'::DOUBLE)) t`
  const xml = await sheetXml(await exported(sql, 'xlsx'))
  expect([...xml.matchAll(/<c><v>([^<]*)</g)].map(([, text]) => text)).toEqual([
    '0.30000000000000004',
    '1e+300',
    '12.50',
  ])
  expect(xml).toContain('preserve">9007199254740993<')
  expect(xml).toContain('preserve">nan<')
})

const sheetXml = (file: string) => entryOf(file, 'xl/worksheets/sheet1.xml')

/** The moments of the sheet as it counts them, and the formats in which it shows them. */
async function sheetTimes(file: string) {
  const serials = [...(await sheetXml(file)).matchAll(/<c s="\d+"><v>([^<]*)</g)].map(([, text]) =>
    Number(text),
  )
  const formats = [...(await entryOf(file, 'xl/styles.xml')).matchAll(/formatCode="([^"]*)"/g)]
  return {
    cells: serials.map((serial) => new Date(Math.round((serial - 25_569) * 86_400_000)).toISOString()),
    formats: formats.map(([, code = '']) => code.replaceAll('&quot;', '"')),
  }
}

/** What follows the content of an entry is not read. */
async function entryOf(file: string, entry: string): Promise<string> {
  const zip = await readFile(file)
  const name = Buffer.from(entry)
  return inflateRawSync(zip.subarray(zip.indexOf(name) + name.length)).toString()
}

async function sheetTexts(file: string): Promise<string[]> {
  const xml = await sheetXml(file)
  return [...xml.matchAll(/preserve">([^<]*)</g)].map(([, text = '']) => text)
}

test('JSON of hundreds of columns is written with little memory, and every row is there', async () => {
  const columns = Array.from({ length: 300 }, (_, at) => `i + ${at} AS column_${at}`).join(', ')
  const file = await exported(`SELECT ${columns} FROM range(3000) t(i) ORDER BY i`, 'json')
  const rows = JSON.parse(await readFile(file, 'utf8')) as Record<string, number>[]
  expect(rows).toHaveLength(3000)
  expect(Object.keys(rows[0] ?? {})).toHaveLength(300)
  expect(rows[2999]?.['column_299']).toBe(3298)
})

test.for(['at once', 'in the middle'])('an export that is stopped %s leaves no file', async (when) => {
  const { queryId } = await runKept(
    await openSession(engine, { timeZone: 'UTC' }),
    'SELECT i, i::VARCHAR AS t FROM range(300000) t(i)',
  )
  await engine.settled(queryId)
  const file = join(directory, 'exports', `${queryId}.xlsx`)
  const made = reader.export(queryId, { format: 'xlsx', file, maxBytes: 1_000_000_000 })
  if (when === 'in the middle') await expect.poll(() => reader.exportProgress(file)).toBeGreaterThan(0)
  await reader.stopExport(file)
  expect(await made).toEqual({ bytes: null, stopped: true })
  await expect(readFile(file)).rejects.toThrow('ENOENT')
  expect(await reader.exportProgress(file)).toBeNull()
})
