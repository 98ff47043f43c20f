import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { beforeAll, describe, expect, test } from 'vitest'
import { STATE, accountSpace, finished, removeSpace } from '../../conformance/fixture.ts'
import { type KeptResults, keptResults } from '../../conformance/shared-results.ts'
import { type Example, EXAMPLES } from '../testing/values.ts'
import type { Cell, ResultRows } from '../../engine/rows.ts'
import type { Engine } from '../../engine/engine.ts'
import { createInProcessDuckdb } from '../in-process.ts'
import { readResult } from '../rows/result-rows.ts'

const ZONE = 'Europe/Berlin'
const MOST_BYTES = 10_000_000

/** No table can have a column of tuples. */
const isTuple = ([, type]: Example) => /STRUCT\((?!")/.test(type)

/** Parquet has not these, or not exactly: it gets their text. */
function isTextInParquet(example: Example): boolean {
  const [, type] = example
  if (type.startsWith('TIMESTAMP WITH')) return false
  const inexact = /HUGEINT|BIGNUM|TIME_NS|TIME WITH|TIMESTAMP_(S|MS)|INTERVAL|BIT|ENUM|UNION|VARIANT|GEOMETRY/
  return inexact.test(type) || isTuple(example)
}

const isPlain = ([, type, family]: Example) => family !== 'nested' && !type.startsWith('TIMESTAMP WITH')

/** A result is kept as a file of values, or as texts when these say everything. */
const FORMS = [
  { form: 'as values', ending: '.parquet', examples: EXAMPLES.filter((example) => !isTuple(example)) },
  {
    form: 'as texts',
    ending: '.json',
    examples: EXAMPLES.filter((example) => isPlain(example) || isTextInParquet(example)),
  },
] as const

// DuckDB writes the instants in a VARIANT in UTC.
const INSTANT_IN_VARIANT = `'2024-07-01 12:00:00+00'::TIMESTAMPTZ::VARIANT`
const INSTANT_IN_UTC = '2024-07-01 12:00:00+00'

// Within a day of the last instants there are, local time may not exist: they are exported in UTC.
const LAST_INSTANT = `'294247-01-10 04:00:54.775806+00'::TIMESTAMPTZ`
const LAST_INSTANT_IN_UTC = '294247-01-10 04:00:54.775806+00'

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

interface Written {
  readonly kind: string | undefined
  readonly shown: ResultRows
  readonly kept: ResultRows | null
  readonly keptAfterExport: ResultRows | null
  readonly csv: string[][]
  readonly json: string
  readonly parquet: ResultRows
}

let engine: Engine
let results: KeptResults
let directory: string
beforeAll(async () => {
  const space = await accountSpace()
  directory = space.directory
  const provider = createInProcessDuckdb()
  engine = await provider.open(space)
  const reader = await provider.openReader(space)
  results = keptResults(engine, reader, directory)
  return async () => {
    await reader.close()
    await engine.close()
    await removeSpace(space)
  }
})

async function runKept(queryId: string, sql: string, timeZone = ZONE): Promise<ResultRows> {
  const session = await engine.openSession({ ...STATE, timeZone })
  const keep = { maxRows: 10, maxBytes: 1_000_000 }
  const result = await finished(
    session.execute(sql, { takenFor: 'reads', authorize: 'all', maxRows: 10, queryId, keep, profile: null }),
  )
  await session.close()
  return result
}

async function writeAll(queryId: string, examples: readonly Example[]): Promise<Written> {
  const values = examples.map(([expression], at) => `${expression} AS c${at}`).join(', ')
  const shown = await runKept(queryId, `SELECT ${values} UNION ALL BY NAME SELECT NULL AS c0`)
  const read = () => results.read(queryId, { offset: 0, limit: 10 })
  const kept = await read()
  const kind = (await readdir(join(directory, 'results'))).find((name) => name.startsWith(queryId))
  const file = (format: string) => join(directory, 'exports', `${queryId}.${format}`)
  for (const format of ['csv', 'json', 'parquet'] as const)
    await results.export(queryId, { format, file: file(format), maxBytes: MOST_BYTES })
  return {
    kind,
    shown,
    kept,
    keptAfterExport: await read(),
    csv: csvRows(await readFile(file('csv'), 'utf8')),
    json: await readFile(file('json'), 'utf8'),
    parquet: await readParquet(file('parquet')),
  }
}

async function readParquet(file: string): Promise<ResultRows> {
  const connection = await (await DuckDBInstance.create()).connect()
  await connection.run(`SET TimeZone = '${ZONE}'`)
  const result = await connection.run(`FROM '${file}'`)
  return (await readResult(connection, result, { names: null, maxRows: 10 })).result
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

describe.each(FORMS)('kept $form', ({ form, ending, examples }) => {
  let written: Written
  beforeAll(async () => {
    written = await writeAll(form.replace(' ', '-'), examples)
  })

  const isUtcInVariant = ([expression]: Example) => form === 'as values' && expression === INSTANT_IN_VARIANT
  const keptText = (example: Example): Cell => (isUtcInVariant(example) ? INSTANT_IN_UTC : example[3])
  const exportedText = (example: Example): Cell =>
    example[0] === LAST_INSTANT ? LAST_INSTANT_IN_UTC : keptText(example)

  function jsonOf(example: Example): string {
    const [expression, , family] = example
    const json = JSON_OF[expression]
    if (json !== undefined) return json
    const text = exportedText(example)
    return text === null || family === 'number' || family === 'boolean' ? String(text) : JSON.stringify(text)
  }

  const table = examples.map((example, at) => ({ at, example, name: `${example[0]} as ${example[1]}` }))

  test('lies in a file of that kind', () => {
    expect(written.kind).toMatch(new RegExp(`\\${ending}$`))
  })

  test.each(table)('$name: shown, and read again as it was shown', ({ at, example }) => {
    const [, type, family, text] = example
    expect(written.shown.rows.map((row) => row[at])).toEqual([text, null])
    for (const kept of [written.kept, written.keptAfterExport]) {
      expect(kept?.rows.map((row) => row[at])).toEqual([keptText(example), null])
      expect(kept?.columns[at]).toMatchObject({ name: `c${at}`, type, family })
    }
  })

  test.each(table)('$name: in CSV', ({ at, example }) => {
    expect(written.csv.slice(0, 3).map((row) => row[at])).toEqual([`c${at}`, exportedText(example) ?? '', ''])
  })

  test.each(table)('$name: in JSON', ({ at, example }) => {
    const line = written.json.split('\n{')[0] ?? ''
    expect(line).toContain(`"c${at}":${jsonOf(example)}${at === examples.length - 1 ? '}' : ','}`)
  })

  test('JSON is what everyone reads as JSON', () => {
    const rows = JSON.parse(written.json) as Record<string, unknown>[]
    expect(rows).toHaveLength(2)
    expect(Object.values(rows[1] ?? {}).every((value) => value === null)).toBe(true)
  })

  test.each(table)('$name: in Parquet', ({ at, example }) => {
    // It has lists of no fixed length.
    const type = example[1].replace('[3]', '[]')
    expect(written.parquet.columns[at]?.type).toBe(isTextInParquet(example) ? 'VARCHAR' : type)
    expect(written.parquet.rows.map((row): Cell => row[at] ?? null)).toEqual([keptText(example), null])
  })
})

const DUCKDB_TYPES =
  'BOOLEAN TINYINT SMALLINT INTEGER BIGINT UTINYINT USMALLINT UINTEGER UBIGINT HUGEINT UHUGEINT BIGNUM DECIMAL FLOAT DOUBLE DATE TIME TIME_NS TIMESTAMP TIMESTAMP_S TIMESTAMP_MS TIMESTAMP_NS INTERVAL VARCHAR ENUM JSON UUID BLOB BIT GEOMETRY MAP STRUCT UNION VARIANT'

test('there is a value of every type that DuckDB has', () => {
  const types = new Set(EXAMPLES.map(([, type]) => type.replace(/[([].*/, '')))
  const wanted = [...DUCKDB_TYPES.split(' '), 'TIME WITH TIME ZONE', 'TIMESTAMP WITH TIME ZONE']
  expect(wanted.filter((type) => !types.has(type))).toEqual([])
})

test('keeps instants in UTC as texts, to the last one', async () => {
  const instants = [
    '1850-01-01 00:00:00+00',
    LAST_INSTANT_IN_UTC,
    '0044-03-15 (BC) 12:00:00.5+00',
    'infinity',
  ]
  const values = instants.map((text) => `('${text}'::TIMESTAMPTZ)`).join(', ')
  const shown = await runKept('instants', `FROM (VALUES ${values}) v(t)`, 'UTC')
  expect(shown.rows.flat()).toEqual(instants)
  expect((await results.read('instants', { offset: 0, limit: 10 }))?.rows.flat()).toEqual(instants)
  expect(await readdir(join(directory, 'results'))).toContain('instants.json')
  const file = join(directory, 'exports', 'instants')
  await results.export('instants', { format: 'csv', file, maxBytes: MOST_BYTES })
  expect(
    csvRows(await readFile(file, 'utf8'))
      .slice(1, 5)
      .flat(),
  ).toEqual(instants)
})

test('reads every extreme of every type again as it was shown', async () => {
  const shown = await runKept('extremes', 'FROM test_all_types()')
  const kept = await results.read('extremes', { offset: 0, limit: 10 })
  expect(shown.columns.length).toBeGreaterThan(50)
  expect(kept?.columns).toEqual(shown.columns)
  for (const [at, { name }] of shown.columns.entries()) {
    const again = kept?.rows.map((row) => row[at])
    expect({ name, values: again }).toEqual({ name, values: shown.rows.map((row) => row[at]) })
  }
})
