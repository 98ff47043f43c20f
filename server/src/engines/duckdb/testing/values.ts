import { expect, test } from 'vitest'
import type { ColumnFamily } from '../../engine/columns.ts'
import type { Cell } from '../../engine/rows.ts'
import { namedType } from '../rows/column-types.ts'
import { type OpenFixture, cells, openSession, rowsOf, sharedEngine } from '../../conformance/fixture.ts'

export type Example = readonly [expression: string, type: string, family: ColumnFamily, text: Cell]

const NUMBERS: readonly Example[] = [
  ['true', 'BOOLEAN', 'boolean', 'true'],
  ['(-128)::TINYINT', 'TINYINT', 'number', '-128'],
  ['32767::SMALLINT', 'SMALLINT', 'number', '32767'],
  ['(-2147483648)::INTEGER', 'INTEGER', 'number', '-2147483648'],
  ['9223372036854775807::BIGINT', 'BIGINT', 'number', '9223372036854775807'],
  ['255::UTINYINT', 'UTINYINT', 'number', '255'],
  ['65535::USMALLINT', 'USMALLINT', 'number', '65535'],
  ['4294967295::UINTEGER', 'UINTEGER', 'number', '4294967295'],
  ['18446744073709551615::UBIGINT', 'UBIGINT', 'number', '18446744073709551615'],
  [
    '(-170141183460469231731687303715884105728)::HUGEINT',
    'HUGEINT',
    'number',
    '-170141183460469231731687303715884105728',
  ],
  [
    '340282366920938463463374607431768211455::UHUGEINT',
    'UHUGEINT',
    'number',
    '340282366920938463463374607431768211455',
  ],
  [
    `'-123456789012345678901234567890123456789012345678901234567890'::BIGNUM`,
    'BIGNUM',
    'number',
    '-123456789012345678901234567890123456789012345678901234567890',
  ],
  [
    `'-9999999999999999999999999999.0123456789'::DECIMAL(38,10)`,
    'DECIMAL(38,10)',
    'number',
    '-9999999999999999999999999999.0123456789',
  ],
  [`'-0.05'::DECIMAL(3,2)`, 'DECIMAL(3,2)', 'number', '-0.05'],
  [`'1.50'::DECIMAL(18,2)`, 'DECIMAL(18,2)', 'number', '1.50'],
  [`'12'::DECIMAL(2,0)`, 'DECIMAL(2,0)', 'number', '12'],
  ['0.1::FLOAT', 'FLOAT', 'number', '0.1'],
  [`'3.4028235e38'::FLOAT`, 'FLOAT', 'number', '3.4028235e+38'],
  ['16777216::FLOAT', 'FLOAT', 'number', '16777216.0'],
  ['(0.1 + 0.2)::DOUBLE', 'DOUBLE', 'number', '0.3'],
  ['0.1::DOUBLE + 0.2::DOUBLE', 'DOUBLE', 'number', '0.30000000000000004'],
  ['5e-324::DOUBLE', 'DOUBLE', 'number', '5e-324'],
  ['1.7976931348623157e308::DOUBLE', 'DOUBLE', 'number', '1.7976931348623157e+308'],
  ['1e15::DOUBLE', 'DOUBLE', 'number', '1000000000000000.0'],
  ['1e16::DOUBLE', 'DOUBLE', 'number', '1e+16'],
  ['0.0001::DOUBLE', 'DOUBLE', 'number', '0.0001'],
  ['0.00001::DOUBLE', 'DOUBLE', 'number', '1e-05'],
  [`'-0.0'::DOUBLE`, 'DOUBLE', 'number', '-0.0'],
  [`'nan'::DOUBLE`, 'DOUBLE', 'number', 'nan'],
  [`'-inf'::DOUBLE`, 'DOUBLE', 'number', '-inf'],
]

const TIMES: readonly Example[] = [
  [`'2024-02-29'::DATE`, 'DATE', 'temporal', '2024-02-29'],
  [`'infinity'::DATE`, 'DATE', 'temporal', 'infinity'],
  [`'-infinity'::DATE`, 'DATE', 'temporal', '-infinity'],
  [`'0044-03-15 (BC)'::DATE`, 'DATE', 'temporal', '0044-03-15 (BC)'],
  [`'5877642-06-25 (BC)'::DATE`, 'DATE', 'temporal', '5877642-06-25 (BC)'],
  [`'23:59:59.999999'::TIME`, 'TIME', 'temporal', '23:59:59.999999'],
  [`'24:00:00'::TIME`, 'TIME', 'temporal', '24:00:00'],
  [`'10:00:00.123456789'::TIME_NS`, 'TIME_NS', 'temporal', '10:00:00.123456789'],
  [`'10:00:00.5-15:59:59'::TIMETZ`, 'TIME WITH TIME ZONE', 'temporal', '10:00:00.5-15:59:59'],
  [`'2024-01-02 03:04:05'::TIMESTAMP_S`, 'TIMESTAMP_S', 'temporal', '2024-01-02 03:04:05'],
  [`'2024-01-02 03:04:05.678'::TIMESTAMP_MS`, 'TIMESTAMP_MS', 'temporal', '2024-01-02 03:04:05.678'],
  [`'2024-01-02 03:04:05.678901'::TIMESTAMP`, 'TIMESTAMP', 'temporal', '2024-01-02 03:04:05.678901'],
  [
    `'2024-01-02 03:04:05.678901234'::TIMESTAMP_NS`,
    'TIMESTAMP_NS',
    'temporal',
    '2024-01-02 03:04:05.678901234',
  ],
  [`'1677-09-22 00:00:00.1'::TIMESTAMP_NS`, 'TIMESTAMP_NS', 'temporal', '1677-09-22 00:00:00.1'],
  [`'infinity'::TIMESTAMP`, 'TIMESTAMP', 'temporal', 'infinity'],
  [`'-infinity'::TIMESTAMP_S`, 'TIMESTAMP_S', 'temporal', '-infinity'],
  [`'infinity'::TIMESTAMP_NS`, 'TIMESTAMP_NS', 'temporal', 'infinity'],
  [`'infinity'::TIMESTAMPTZ`, 'TIMESTAMP WITH TIME ZONE', 'temporal', 'infinity'],
  [`'0001-01-01 (BC) 00:00:00'::TIMESTAMP`, 'TIMESTAMP', 'temporal', '0001-01-01 (BC) 00:00:00'],
  [`'294247-01-10 04:00:54.775806'::TIMESTAMP`, 'TIMESTAMP', 'temporal', '294247-01-10 04:00:54.775806'],
  [
    `'2024-07-01 12:00:00.5+00'::TIMESTAMPTZ`,
    'TIMESTAMP WITH TIME ZONE',
    'temporal',
    '2024-07-01 14:00:00.5+02',
  ],
  [
    `'1850-01-01 00:00:00+00'::TIMESTAMPTZ`,
    'TIMESTAMP WITH TIME ZONE',
    'temporal',
    '1850-01-01 00:53:28+00:53:28',
  ],
  [
    `'294247-01-10 04:00:54.775806+00'::TIMESTAMPTZ`,
    'TIMESTAMP WITH TIME ZONE',
    'temporal',
    '294247-01-10 05:00:54.775806+01',
  ],
  [
    `INTERVAL '1 year -2 months 3 days -04:05:06.789'`,
    'INTERVAL',
    'temporal',
    '10 months 3 days -04:05:06.789',
  ],
  [`INTERVAL '-14 months'`, 'INTERVAL', 'temporal', '-1 year -2 months'],
  [`INTERVAL 0 seconds`, 'INTERVAL', 'temporal', '00:00:00'],
  [`to_microseconds(1)`, 'INTERVAL', 'temporal', '00:00:00.000001'],
]

const TEXTS: readonly Example[] = [
  [`'Grüße 🎉 日本' || chr(10) || '"'`, 'VARCHAR', 'text', 'Grüße 🎉 日本\n"'],
  [`'a' || chr(0) || 'b'`, 'VARCHAR', 'text', 'a\0b'],
  [`''`, 'VARCHAR', 'text', ''],
  [`'b c'::ENUM('a', 'b c')`, `ENUM('a', 'b c')`, 'text', 'b c'],
  [`'{"a": [1, null]}'::JSON`, 'JSON', 'text', '{"a": [1, null]}'],
  [`'00000000-0000-0000-0000-00000000000f'::UUID`, 'UUID', 'text', '00000000-0000-0000-0000-00000000000f'],
  [`'ffffffff-ffff-ffff-ffff-ffffffffffff'::UUID`, 'UUID', 'text', 'ffffffff-ffff-ffff-ffff-ffffffffffff'],
  [String.raw`'\x00a\xFF"\x5C'::BLOB`, 'BLOB', 'binary', String.raw`\x00a\xFF\x22\x5C`],
  [`''::BLOB`, 'BLOB', 'binary', ''],
  [`'0010101'::BIT`, 'BIT', 'binary', '0010101'],
  [`'POINT(1 2)'::GEOMETRY`, 'GEOMETRY', 'text', 'POINT (1 2)'],
  [`'POINT ZM (1.5 -0.0 1e-5 1e16)'::GEOMETRY`, 'GEOMETRY', 'text', 'POINT ZM (1.5 -0 1e-05 1e+16)'],
  [`'POINT EMPTY'::GEOMETRY`, 'GEOMETRY', 'text', 'POINT EMPTY'],
  [`'POINT M (1 2 3)'::GEOMETRY`, 'GEOMETRY', 'text', 'POINT M (1 2 3)'],
]

const GEOMETRIES = [
  'LINESTRING (0.1 0.2, 1e-7 123456789.123)',
  'LINESTRING EMPTY',
  'POLYGON ((0 0, 1 0, 1 1, 0 0), (0.2 0.2, 0.3 0.2, 0.3 0.3, 0.2 0.2))',
  'POLYGON EMPTY',
  'MULTIPOINT (EMPTY, 1 2)',
  'MULTIPOINT Z (1 2 3)',
  'MULTILINESTRING ((0 0, 1 1), (2 2, 3 3))',
  'MULTIPOLYGON (((0 0, 1 0, 1 1, 0 0)), ((5 5, 6 5, 6 6, 5 5)))',
  'GEOMETRYCOLLECTION (POINT (1 2), LINESTRING (0 0, 1 1), GEOMETRYCOLLECTION EMPTY)',
  'GEOMETRYCOLLECTION Z (POINT Z EMPTY, MULTIPOLYGON Z EMPTY)',
  'POINT (nan 1)',
]

const NESTED: readonly Example[] = [
  ['[1, NULL, 3]', 'INTEGER[]', 'nested', '[1, NULL, 3]'],
  ['[]::INTEGER[]', 'INTEGER[]', 'nested', '[]'],
  [
    `['a b', 'c,d', '', ' e', 'null', 'it''s']`,
    'VARCHAR[]',
    'nested',
    `[a b, 'c,d', '', ' e', 'null', 'it\\'s']`,
  ],
  ['[1.5, 2]::DECIMAL(4,2)[]', 'DECIMAL(4,2)[]', 'nested', '[1.50, 2.00]'],
  [`[[1], NULL, []]::BIGINT[][]`, 'BIGINT[][]', 'nested', '[[1], NULL, []]'],
  [`[1, 2, NULL]::INTEGER[3]`, 'INTEGER[3]', 'nested', '[1, 2, NULL]'],
  [
    `[170141183460469231731687303715884105727]`,
    'HUGEINT[]',
    'nested',
    '[170141183460469231731687303715884105727]',
  ],
  [
    `{'a': 1, 'b c': 'x', '2': NULL}`,
    'STRUCT("a" INTEGER, "b c" VARCHAR, "2" INTEGER)',
    'nested',
    `{'a': 1, 'b c': x, '2': NULL}`,
  ],
  [
    `{'__proto__': 1, 'constructor': 2}`,
    'STRUCT("__proto__" INTEGER, "constructor" INTEGER)',
    'nested',
    `{'__proto__': 1, 'constructor': 2}`,
  ],
  [`row(1, 'b', 3)`, 'STRUCT(INTEGER, VARCHAR, INTEGER)', 'nested', '(1, b, 3)'],
  [`[row(1, 2), NULL]`, 'STRUCT(INTEGER, INTEGER)[]', 'nested', '[(1, 2), NULL]'],
  [
    `MAP {'k': row(1, 2), 'l': NULL}`,
    'MAP(VARCHAR, STRUCT(INTEGER, INTEGER))',
    'nested',
    '{k=(1, 2), l=NULL}',
  ],
  [
    `MAP {['x y']: {'d': DATE '2024-01-01'}}`,
    'MAP(VARCHAR[], STRUCT("d" DATE))',
    'nested',
    `{[x y]={'d': 2024-01-01}}`,
  ],
  [`union_value(num := 5)`, 'UNION("num" INTEGER)', 'nested', '5'],
  [`[union_value(s := 'a,b')]`, 'UNION("s" VARCHAR)[]', 'nested', '[a,b]'],
  [`union_value(num := NULL::INTEGER)`, 'UNION("num" INTEGER)', 'nested', 'NULL'],
  [
    `['2024-07-01 12:00:00+00'::TIMESTAMPTZ]`,
    'TIMESTAMP WITH TIME ZONE[]',
    'nested',
    `['2024-07-01 14:00:00+02']`,
  ],
  [`['nan'::DOUBLE, 1e300, 2]`, 'DOUBLE[]', 'nested', '[nan, 1e+300, 2.0]'],
  [String.raw`['\x00'::BLOB, '"'::BLOB]`, 'BLOB[]', 'nested', String.raw`[\x00, \x22]`],
  [`['{"a":1}'::JSON]`, 'JSON[]', 'nested', '[{"a":1}]'],
  [`{'a': 1, 'b': [1, 2]}::VARIANT`, 'VARIANT', 'nested', `{'a': 1, 'b': [1, 2]}`],
  [`'2024-07-01 12:00:00+00'::TIMESTAMPTZ::VARIANT`, 'VARIANT', 'nested', '2024-07-01 14:00:00+02'],
]

/** Values of every type, with their text. Instants are shown in Berlin. */
export const EXAMPLES: readonly Example[] = [...NUMBERS, ...TIMES, ...TEXTS, ...NESTED]

export function valueTests(open: OpenFixture): void {
  const shared = sharedEngine(open)
  test.each([
    `-('nan'::DOUBLE)`,
    `[-('nan'::FLOAT), 'nan']`,
    '0.34::DECIMAL(2,2)',
    '[-0.34::DECIMAL(2,2)]',
    '0::DECIMAL(4,4)',
    'union_value(a := NULL::INTEGER)',
    `{'u': union_value(a := NULL::INTEGER)}`,
    `{'j': '{"a": 1}'::JSON, 'n': NULL::JSON, 's': '"x y"'::JSON}`,
    `MAP {'k': '[1, 2]'::JSON}`,
    `MAP {'{"a": 1}'::JSON: 1}`,
    `['{"a": 1}'::JSON, '"x"'::JSON, NULL]`,
    `{'l': ['{"a": 1}'::JSON]}`,
  ])('writes %s as the engine does', async (expression) => {
    const session = await openSession(shared.engine())
    const [[ours, theirs] = []] = await cells(
      session,
      `SELECT v, v::VARCHAR FROM (SELECT ${expression} AS v)`,
    )
    expect(ours).toBe(theirs)
  })

  test.each([
    'Asia/Kathmandu',
    'America/Vancouver',
    'Africa/Casablanca',
    'America/Asuncion',
    'Europe/Berlin',
  ])('shows instants in %s by the time zone data of the engine', async (zone) => {
    const session = await openSession(shared.engine(), { timeZone: zone })
    const months = `SELECT make_timestamptz((i * 86400 * 9)::BIGINT * 1000000) AS v FROM range(600, 2700) t(i)`
    const rows = await rowsOf(session, `SELECT v, v::VARCHAR, [v], [v]::VARCHAR FROM (${months})`, 3000)
    expect(rows.rows.filter(([a, b, c, d]) => a !== b || c !== d)).toEqual([])
    expect(rows.rows).toHaveLength(2100)
  })

  const timeZone = 'Europe/Berlin'

  test.each(EXAMPLES)('shows %s exactly', async (...[expression, type, family, text]) => {
    const session = await openSession(shared.engine(), { timeZone })
    const { columns, rows } = await rowsOf(
      session,
      `SELECT ${expression} AS v UNION ALL BY NAME SELECT NULL AS v`,
    )
    expect(columns).toMatchObject([{ name: 'v', type, family }])
    // A name says the same as the type itself, unless it is one that a user gave.
    const { valueType } = columns[0] ?? {}
    const named = namedType(type)
    expect(named.kind === 'unknown' ? valueType : named).toEqual(valueType)
    expect(rows).toEqual([[text], [null]])
  })

  test('shows a value the same way when a statement that writes returns it', async () => {
    const session = await openSession(shared.engine(), { timeZone })
    // No table can have a column of tuples.
    const examples = EXAMPLES.filter(([sql]) => !sql.includes('row('))
    const columns = examples.map(([expression], at) => `${expression} AS c${at}`).join(', ')
    await rowsOf(session, `CREATE TEMP TABLE all_values AS SELECT ${columns} LIMIT 0`)
    const { rows } = await rowsOf(session, `INSERT INTO all_values SELECT ${columns} RETURNING *`)
    expect(rows).toEqual([examples.map(([, , , text]) => text)])
  })

  test('shows instants that read back as themselves, in any zone and time', async () => {
    const instants = `SELECT make_timestamptz(i * 7919000000123 + 1) AS t FROM range(-250000, 250000, 500) r(i)`
    for (const zone of [
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Africa/Monrovia',
      'Etc/GMT+5',
    ]) {
      const session = await openSession(shared.engine(), { timeZone: zone })
      const rows = await cells(session, `SELECT t, epoch_us(t) FROM (${instants})`)
      expect(rows).toHaveLength(1000)
      const values = rows.map(([text, micros]) => `('${text}'::TIMESTAMPTZ, ${micros}::BIGINT)`).join(', ')
      expect(
        await cells(session, `SELECT t, m FROM (VALUES ${values}) v(t, m) WHERE epoch_us(t) <> m`),
      ).toEqual([])
    }
  })

  test('shows every value of every type as the engine itself would write it', async () => {
    const session = await openSession(shared.engine())
    const source = 'test_all_types()'
    // Shown exactly where the engine rounds the last instants there are.
    const except = 'EXCLUDE (timestamp_tz)'
    const shown = await rowsOf(session, `SELECT * ${except} FROM ${source}`)
    const written = await cells(session, `SELECT COLUMNS(* ${except})::VARCHAR FROM ${source}`)
    expect(shown.columns.length).toBeGreaterThan(50)
    for (const [at, { name }] of shown.columns.entries()) {
      const ours = shown.rows.map((row) => row[at])
      expect({ name, values: ours }).toEqual({ name, values: written.map((row) => row[at]) })
    }
  })

  test('shows geometries of every kind as the engine itself would write them', async () => {
    const session = await openSession(shared.engine())
    const geometries = `(SELECT unnest([${GEOMETRIES.map((text) => `'${text}'`).join(', ')}])::GEOMETRY AS g)`
    const written = await cells(session, `SELECT g::VARCHAR, [g]::VARCHAR FROM ${geometries}`)
    expect(await cells(session, `SELECT g, [g] FROM ${geometries}`)).toEqual(written)
    expect(written).toHaveLength(GEOMETRIES.length)
  })
}
