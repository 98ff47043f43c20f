import { createConnection } from 'mysql2/promise'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { type Column, TEXT, type ValueType } from '../../../engines/engine/columns.ts'
import { type Script, SESSION, ScriptedServer, batchOf, column } from './testing/scripted-server.ts'

let server: ScriptedServer
beforeAll(async () => {
  server = await ScriptedServer.start()
})
afterAll(() => server.stop())

async function connect(more: object = {}) {
  const connection = await createConnection({
    host: '127.0.0.1',
    user: 'ACME.lea',
    password: 'secret',
    port: server.port,
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    ...more,
  })
  onTestFinished(() => connection.destroy())
  return connection
}

const integer = (bits: number | null, isSigned = true): ValueType => ({ kind: 'integer', bits, isSigned })
const timestamp = (precision: number, isZoned = false): ValueType => ({
  kind: 'timestamp',
  precision,
  isZoned,
})

/** Type, text of the engine, and what a client makes of it. */
const VALUES: readonly (readonly [string, ValueType, string, unknown])[] = [
  ['yes', { kind: 'boolean' }, 'true', 1],
  ['no', { kind: 'boolean' }, 'false', 0],
  ['tiny', integer(8), '-128', -128],
  ['unsigned tiny', integer(8, false), '255', 255],
  ['short', integer(16), '-32768', -32768],
  ['unsigned short', integer(16, false), '65535', 65535],
  ['long', integer(32), '-2147483648', -2147483648],
  ['unsigned long', integer(32, false), '4294967295', 4294967295],
  ['small bigint', integer(64), '-5000000000', '-5000000000'],
  ['bigint', integer(64), '-9223372036854775808', '-9223372036854775808'],
  ['unsigned bigint', integer(64, false), '18446744073709551615', '18446744073709551615'],
  [
    'huge',
    integer(128),
    '170141183460469231731687303715884105727',
    '170141183460469231731687303715884105727',
  ],
  ['decimal', { kind: 'decimal', precision: 18, scale: 2 }, '-12.50', '-12.50'],
  ['fraction', { kind: 'decimal', precision: 2, scale: 2 }, '-.25', '-0.25'],
  ['whole double', { kind: 'float', bits: 64 }, '1.0', 1],
  ['large double', { kind: 'float', bits: 64 }, '1.5e+20', 1.5e20],
  ['small double', { kind: 'float', bits: 64 }, '1e-05', 1e-5],
  ['date', { kind: 'date' }, '2026-11-17', '2026-11-17'],
  ['time', { kind: 'time', precision: 6, isZoned: false }, '23:59:59.5', '23:59:59.5'],
  ['zoned time', { kind: 'time', precision: 6, isZoned: true }, '23:59:59+02', '23:59:59+02'],
  ['timestamp', timestamp(0), '2026-11-17 18:30:00', '2026-11-17 18:30:00'],
  ['instant', timestamp(6, true), '2026-11-17 18:30:00.25-03:30', '2026-11-17 18:30:00.250000'],
  ['nanos', timestamp(9), '2026-11-17 18:30:00.123456789', '2026-11-17 18:30:00.123456'],
  ['text', TEXT, 'grüße 🙂', 'grüße 🙂'],
  ['empty', TEXT, '', ''],
  ['blob', { kind: 'binary' }, String.raw`a\x00\xFF\x5C`, Buffer.from([0x61, 0, 0xff, 0x5c])],
  ['json', { kind: 'json' }, '{"a": 1}', { a: 1 }],
  ['list', { kind: 'list', element: TEXT, length: null }, `[a, 'b,c', NULL]`, ['a', 'b,c', null]],
  [
    'struct',
    {
      kind: 'struct',
      fields: [
        { name: 'x', type: integer(32) },
        { name: `y'`, type: TEXT },
      ],
    },
    String.raw`{'x': 1, 'y\'': it}`,
    { x: 1, [`y'`]: 'it' },
  ],
  ['map', { kind: 'map', key: TEXT, value: { kind: 'boolean' } }, '{k=true}', { k: true }],
  ['uuid', { kind: 'uuid' }, '0191c0de-0000-7000-8000-000000000000', '0191c0de-0000-7000-8000-000000000000'],
  ['bits', { kind: 'bits' }, '0101', '0101'],
  ['interval', { kind: 'interval' }, '1 day', '1 day'],
]

const COLUMNS: readonly Column[] = VALUES.map(([name, type]) => column(name, type))
const ALL: Script = {
  columns: COLUMNS,
  batches: [batchOf([VALUES.map(([, , text]) => text), VALUES.map(() => null)])],
}

/** The client writes the fraction of a binary value itself; as text it is as the engine wrote it. */
const TEXT_FORMS: Readonly<Record<string, string>> = { instant: '2026-11-17 18:30:00.25' }

it('gives every type as text and as binary', async () => {
  const connection = await connect()
  server.answer = () => [ALL]
  const [texts] = await connection.query('select all')
  const wanted = Object.fromEntries(VALUES.map(([name, , , value]) => [name, value]))
  const nulls = Object.fromEntries(VALUES.map(([name]) => [name, null]))
  expect(texts).toEqual([{ ...wanted, ...TEXT_FORMS }, nulls])
  const [binary] = await connection.execute('select all', [])
  expect(binary).toEqual([wanted, nulls])
})

it('answers several statements in one text, up to the first that fails', async () => {
  const connection = await connect({ multipleStatements: true })
  const one: Script = { columns: [column('a', TEXT)], batches: [batchOf([['x']])] }
  server.answer = () => [
    one,
    { ended: { affectedRows: 3, lastInsertId: 9, info: 'Rows matched: 3', warnings: 2 } },
    one,
  ]
  const [results] = await connection.query('a; b; c')
  expect(results).toMatchObject([
    [{ a: 'x' }],
    { affectedRows: 3, insertId: 9, warningStatus: 2 },
    [{ a: 'x' }],
  ])
  const error = { code: 1146, sqlState: '42S02', message: 'no such table' }
  server.answer = () => [one, { ended: { error, isLast: false } }, one]
  await expect(connection.query('a; b; c')).rejects.toMatchObject({ errno: 1146, sqlState: '42S02' })
  server.answer = () => [one]
  expect((await connection.query('a'))[0]).toEqual([{ a: 'x' }])
})

it('sends an error behind the rows that came before it', async () => {
  const connection = await connect()
  const error = { code: 1317, sqlState: '70100', message: 'interrupted' }
  server.answer = () => [{ columns: [column('a', TEXT)], batches: [batchOf([['x']])], ended: { error } }]
  await expect(connection.query('a')).rejects.toMatchObject({ errno: 1317, sqlMessage: 'interrupted' })
})

it('hands parameters of every type to the server', async () => {
  const connection = await connect()
  const run = async (...values: unknown[]) => {
    server.answer = () => [{}]
    await connection.execute('insert ?, ?, ?, ?, ?, ?', values as string[])
    return server.received.findLast((message) => message.kind === 'run')
  }
  const sent = await run(1, 'ä', null, new Date('2026-11-17T18:30:00.5Z'), Buffer.from([0, 255]), 2n ** 60n)
  expect(sent).toMatchObject({
    sql: 'insert ?, ?, ?, ?, ?, ?',
    allowsSeveral: false,
    parameters: [
      { type: 'double', text: '1' },
      { type: 'text', text: 'ä' },
      { type: 'null' },
      { type: 'timestamp' },
      expect.anything(),
      expect.anything(),
    ],
  })
})

it('reads and writes latin1, with a question mark for what it does not have', async () => {
  const connection = await connect({ charset: 'latin1_swedish_ci' })
  const session = { ...SESSION, clientCharset: 'latin1', resultCharset: 'latin1' } as const
  server.answer = () => [{ ended: { session } }]
  await connection.query('set names latin1')
  server.answer = () => [
    { columns: [column('grün', TEXT)], batches: [batchOf([['€ü'], ['日']])], ended: { session } },
  ]
  const [rows] = await connection.query(`select 'ü'`)
  // The client takes the euro's byte in Windows-1252 for the one of ISO 8859-1.
  expect(rows).toEqual([{ grün: '\u0080ü' }, { grün: '?' }])
  expect(server.received.findLast((message) => message.kind === 'run')).toMatchObject({ sql: `select 'ü'` })
})

it('compresses where the client wants it', async () => {
  const connection = await connect({ compress: true })
  const text = 'boathouse '.repeat(100_000)
  server.answer = () => [{ columns: [column('a', TEXT)], batches: [batchOf([[text]])] }]
  const [rows] = await connection.query(`select '${text}'`)
  expect(rows).toEqual([{ a: text }])
  expect(server.received.findLast((message) => message.kind === 'run')).toMatchObject({
    sql: `select '${text}'`,
  })
})
