import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, expect, test } from 'vitest'
import { STATE, accountSpace, finished, removeSpace } from '../../conformance/fixture.ts'
import { type Example, EXAMPLES } from '../../conformance/values.ts'
import type { Cell, Engine, ResultRows } from '../../engine.ts'
import { createFakeProvider } from '../../fake/provider.ts'
import { readResult } from '../result-rows.ts'

const ZONE = 'Europe/Berlin'
// No table can have a column of tuples: such results are not kept.
const KEPT = EXAMPLES.filter(([expression]) => !expression.includes('row('))

interface Written {
  readonly shown: ResultRows
  readonly kept: ResultRows | null
  readonly csv: string[][]
  readonly json: string
  readonly parquet: ResultRows
}

let written: Written
let engine: Engine
beforeAll(async () => {
  const space = await accountSpace()
  engine = await createFakeProvider().open(space)
  const values = KEPT.map(([expression], at) => `${expression} AS c${at}`).join(', ')
  const shown = await runKept('all', `SELECT ${values} UNION ALL BY NAME SELECT NULL AS c0`)
  const file = (format: string) => join(space.directory, 'exports', `all.${format}`)
  for (const format of ['csv', 'json', 'parquet'] as const)
    await engine.results.export('all', format, file(format))
  written = {
    shown,
    kept: await engine.results.read('all', { offset: 0, limit: 10 }),
    csv: csvRows(await readFile(file('csv'), 'utf8')),
    json: await readFile(file('json'), 'utf8'),
    parquet: await readParquet(file('parquet')),
  }
  return async () => {
    await engine.close()
    await removeSpace(space)
  }
})

async function runKept(queryId: string, sql: string): Promise<ResultRows> {
  const session = await engine.openSession({ ...STATE, timeZone: ZONE })
  const keep = { maxRows: 10, maxBytes: 1_000_000 }
  const result = await finished(session.execute(sql, { maxRows: 10, queryId, keep, profile: false }))
  await session.close()
  return result
}

async function readParquet(file: string): Promise<ResultRows> {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`SET TimeZone = '${ZONE}'`)
  const result = await connection.run(`FROM '${file}'`)
  return readResult(connection, result, { names: null, maxRows: 10 })
}

/** As texts: the empty one and SQL's NULL look alike. */
function csvRows(text: string): string[][] {
  const rows: string[][] = [[]]
  for (const [, quoted, plain, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end === '\n') rows.push([])
  }
  return rows
}

const byPosition = KEPT.map((example, at) => ({ at, example, name: `${example[0]} as ${example[1]}` }))

test('there is a value of every type that DuckDB has', () => {
  const types = new Set(EXAMPLES.map(([, type]) => type.replace(/[([].*/, '')))
  for (const type of 'BOOLEAN TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT HUGEINT UHUGEINT BIGNUM DECIMAL FLOAT DOUBLE DATE TIME TIME_NS TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL VARCHAR ENUM JSON UUID BLOB BIT GEOMETRY MAP STRUCT UNION VARIANT'.split(
    ' ',
  ))
    expect(types).toContain(type)
  for (const type of ['TIME WITH TIME ZONE', 'TIMESTAMP WITH TIME ZONE']) expect(types).toContain(type)
})

// DuckDB writes the instants in a VARIANT in UTC; there they are kept as text.
const INSTANT_IN_VARIANT = `'2024-07-01 12:00:00+00'::TIMESTAMPTZ::VARIANT`
const INSTANT_IN_UTC = '2024-07-01 12:00:00+00'

// Within a day of the last instants there are, local time may not exist: they are exported in UTC.
const LAST_INSTANT = `'294247-01-10 04:00:54.775806+00'::TIMESTAMPTZ`
const LAST_INSTANT_IN_UTC = '294247-01-10 04:00:54.775806+00'

function keptText([expression, , , text]: Example): Cell {
  return expression === INSTANT_IN_VARIANT ? INSTANT_IN_UTC : text
}

function exportedText(example: Example): Cell {
  return example[0] === LAST_INSTANT ? LAST_INSTANT_IN_UTC : keptText(example)
}

test.each(byPosition)('$name: shown, and read again as it was shown', ({ at, example }) => {
  const [, type, family, text] = example
  expect(written.shown.rows.map((row) => row[at])).toEqual([text, null])
  expect(written.kept?.rows.map((row) => row[at])).toEqual([keptText(example), null])
  for (const result of [written.shown, written.kept])
    expect(result?.columns[at]).toEqual({ name: `c${at}`, type, family })
})

test.each(byPosition)('$name: in CSV', ({ at, example }) => {
  expect(written.csv.slice(0, 3).map((row) => row[at])).toEqual([`c${at}`, exportedText(example) ?? '', ''])
})

test.each(byPosition)('$name: in JSON', ({ at, example }) => {
  const line = written.json.split('\n{')[0] ?? ''
  expect(line).toContain(`"c${at}":${jsonOf(example)}${at === KEPT.length - 1 ? '}' : ','}`)
})

/** Where it is neither the text itself, for numbers, nor the text in quotes. */
const JSON_OF: Readonly<Record<string, string>> = {
  [`'nan'::DOUBLE`]: '"nan"',
  [`'-inf'::DOUBLE`]: '"-inf"',
  [`'{"a": [1, null]}'::JSON`]: '{"a": [1, null]}',
  '[1, NULL, 3]': '[1,null,3]',
  '[]::INTEGER[]': '[]',
  [`['a b', 'c,d', '', ' e', 'null', 'it''s']`]: `["a b","c,d",""," e","null","it's"]`,
  '[1.5, 2]::DECIMAL(4,2)[]': '[1.50,2.00]',
  '[[1], NULL, []]::BIGINT[][]': '[[1],null,[]]',
  '[1, 2, NULL]::INTEGER[3]': '[1,2,null]',
  [`{'a': 1, 'b c': 'x', '2': NULL}`]: '{"a":1,"b c":"x","2":null}',
  [`{'__proto__': 1, 'constructor': 2}`]: '{"__proto__":1,"constructor":2}',
  [`MAP {['x y']: {'d': DATE '2024-01-01'}}`]: '{"[x y]":{"d":"2024-01-01"}}',
  [`['2024-07-01 12:00:00+00'::TIMESTAMPTZ]`]: '["2024-07-01 14:00:00+02"]',
  [`['nan'::DOUBLE, 1e300, 2]`]: '["nan",1e+300,2.0]',
  [String.raw`['\x00'::BLOB, '"'::BLOB]`]: String.raw`["\\x00","\\x22"]`,
  [`['{"a":1}'::JSON]`]: '[{"a":1}]',
}

function jsonOf(example: Example): string {
  const [expression, , family] = example
  const text = exportedText(example)
  if (JSON_OF[expression] !== undefined) return JSON_OF[expression]
  if (text === null) return 'null'
  return family === 'number' || family === 'boolean' ? text : JSON.stringify(text)
}

test('JSON is what everyone reads as JSON', () => {
  const rows = JSON.parse(written.json) as Record<string, unknown>[]
  expect(rows).toHaveLength(2)
  expect(Object.values(rows[1] ?? {}).every((value) => value === null)).toBe(true)
})

/** Parquet has not these, or not exactly: it gets their text. */
const AS_TEXT = /HUGEINT|BIGNUM|TIME_NS|TIME WITH|TIMESTAMP_(S|MS)|INTERVAL|BIT|ENUM|UNION|VARIANT/

test.each(byPosition)('$name: in Parquet', ({ at, example }) => {
  const [, type] = example
  const isText = AS_TEXT.test(type) && !type.startsWith('TIMESTAMP WITH')
  // It has lists of one length only, and coordinates of one system only.
  const parquetType = type.replace('[3]', '[]').replace('GEOMETRY', "GEOMETRY('OGC:CRS84')")
  expect(written.parquet.columns[at]?.type).toBe(isText ? 'VARCHAR' : parquetType)
  expect(written.parquet.rows.map((row): Cell => row[at] ?? null)).toEqual([keptText(example), null])
})

test('reads every extreme of every type again as it was shown', async () => {
  const shown = await runKept('extremes', 'FROM test_all_types()')
  const kept = await engine.results.read('extremes', { offset: 0, limit: 10 })
  expect(shown.columns.length).toBeGreaterThan(50)
  expect(kept?.columns).toEqual(shown.columns)
  for (const [at, { name }] of shown.columns.entries()) {
    const again = kept?.rows.map((row) => row[at])
    expect({ name, values: again }).toEqual({ name, values: shown.rows.map((row) => row[at]) })
  }
})
