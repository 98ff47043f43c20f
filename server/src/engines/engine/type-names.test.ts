import { expect, test } from 'vitest'
import { familyOf } from './columns.ts'
import { type TypeDefaults, parseTypeName } from './type-names.ts'

/** Of an engine that counts in microseconds, as the embedded one, and of one that counts in milliseconds, as Trino. */
const EMBEDDED: TypeDefaults = { timePrecision: 6, decimal: { precision: 18, scale: 3 } }
const TRINO: TypeDefaults = { timePrecision: 3, decimal: { precision: 38, scale: 0 } }

const integer = (bits: number | null, isSigned = true) => ({ kind: 'integer', bits, isSigned })
const text = (length: number | null = null) => ({ kind: 'text', length })
const list = (element: object, length: number | null = null) => ({ kind: 'list', element, length })
const moment = (kind: string, precision: number, isZoned = false) => ({ kind, precision, isZoned })
const field = (name: string, type: object) => ({ name, type })

test.each([
  ['BOOLEAN', { kind: 'boolean' }],
  ['TINYINT', integer(8)],
  ['UBIGINT', integer(64, false)],
  ['HUGEINT', integer(128)],
  ['BIGNUM', integer(null)],
  ['DECIMAL(18,2)', { kind: 'decimal', precision: 18, scale: 2 }],
  ['DECIMAL', { kind: 'decimal', precision: 18, scale: 3 }],
  ['FLOAT', { kind: 'float', bits: 32 }],
  ['DOUBLE', { kind: 'float', bits: 64 }],
  ['VARCHAR', text()],
  ['BLOB', { kind: 'binary' }],
  ['BIT', { kind: 'bits' }],
  ['UUID', { kind: 'uuid' }],
  ['JSON', { kind: 'json' }],
  [`ENUM('a', 'it''s (', ')')`, { kind: 'enum' }],
  ['ENUM', { kind: 'enum' }],
  [`GEOMETRY('OGC:CRS84')`, { kind: 'geometry' }],
  ['DATE', { kind: 'date' }],
  ['TIME', moment('time', 6)],
  ['TIME WITH TIME ZONE', moment('time', 6, true)],
  ['TIMESTAMP', moment('timestamp', 6)],
  ['TIMESTAMP_S', moment('timestamp', 0)],
  ['TIMESTAMP_NS', moment('timestamp', 9)],
  ['TIMESTAMP WITH TIME ZONE', moment('timestamp', 6, true)],
  ['INTERVAL', { kind: 'interval' }],
  ['INTEGER[]', list(integer(32))],
  ['VARCHAR[3][]', list(list(text(), 3))],
  ['MAP(VARCHAR, INTEGER[])', { kind: 'map', key: text(), value: list(integer(32)) }],
  [
    'STRUCT("a b" INTEGER, "say ""hi""" VARCHAR)',
    { kind: 'struct', fields: [field('a b', integer(32)), field('say "hi"', text())] },
  ],
  ['STRUCT(INTEGER, VARCHAR)', { kind: 'struct', fields: [field('', integer(32)), field('', text())] }],
  [
    'UNION("n" DECIMAL(4,1), "t" TIMESTAMP WITH TIME ZONE)',
    {
      kind: 'union',
      fields: [
        field('n', { kind: 'decimal', precision: 4, scale: 1 }),
        field('t', moment('timestamp', 6, true)),
      ],
    },
  ],
  ['VARIANT', { kind: 'variant' }],
])('knows %s of the embedded engine', (name, type) => {
  expect(parseTypeName(name, EMBEDDED)).toEqual(type)
})

test.each([
  ['boolean', { kind: 'boolean' }],
  ['integer', integer(32)],
  ['bigint', integer(64)],
  ['real', { kind: 'float', bits: 32 }],
  ['double', { kind: 'float', bits: 64 }],
  ['decimal(38,0)', { kind: 'decimal', precision: 38, scale: 0 }],
  ['varchar', text()],
  ['varchar(25)', text(25)],
  ['char(10)', text(10)],
  ['varbinary', { kind: 'binary' }],
  ['json', { kind: 'json' }],
  ['uuid', { kind: 'uuid' }],
  ['date', { kind: 'date' }],
  ['time', moment('time', 3)],
  ['time(6) with time zone', moment('time', 6, true)],
  ['timestamp', moment('timestamp', 3)],
  ['timestamp(12)', moment('timestamp', 12)],
  ['timestamp(3) with time zone', moment('timestamp', 3, true)],
  ['interval day to second', { kind: 'interval' }],
  ['interval year to month', { kind: 'interval' }],
  ['array(array(bigint))', list(list(integer(64)))],
  [
    'map(varchar, decimal(10,2))',
    { kind: 'map', key: text(), value: { kind: 'decimal', precision: 10, scale: 2 } },
  ],
  [
    'row(x integer, "y z" varchar(5), t timestamp(6) with time zone)',
    {
      kind: 'struct',
      fields: [field('x', integer(32)), field('y z', text(5)), field('t', moment('timestamp', 6, true))],
    },
  ],
  [
    'row(interval day to second, time with time zone)',
    { kind: 'struct', fields: [field('', { kind: 'interval' }), field('', moment('time', 3, true))] },
  ],
  ['Geometry', { kind: 'geometry' }],
])('knows %s of Trino', (name, type) => {
  expect(parseTypeName(name, TRINO)).toEqual(type)
})

test.each([
  '',
  'HyperLogLog',
  'mine',
  'INTEGER[',
  'MAP(INTEGER)',
  'INTEGER INTEGER',
  'ENUM(',
  '?',
  'DECIMAL(x)',
])('takes %j for unknown', (name) => {
  expect(parseTypeName(name, EMBEDDED)).toEqual({ kind: 'unknown' })
})

test('does not follow a name that nests without end', () => {
  expect(parseTypeName(`${'MAP(INTEGER, '.repeat(50_000)}INTEGER${')'.repeat(50_000)}`, EMBEDDED)).toEqual({
    kind: 'unknown',
  })
})

test.each([
  ['UHUGEINT', 'number'],
  ['DECIMAL(4,1)', 'number'],
  ['ENUM', 'text'],
  ['JSON', 'text'],
  ['INTERVAL', 'temporal'],
  ['BIT', 'binary'],
  ['INTEGER[]', 'nested'],
  ['VARIANT', 'nested'],
  ['mine', 'other'],
])('the family of %s is %s', (name, family) => {
  expect(familyOf(parseTypeName(name, EMBEDDED))).toBe(family)
})
