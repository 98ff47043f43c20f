import { readFileSync } from 'node:fs'
import { SCENARIO } from './mysql-clients.ts'

/** What every client is to see; `server/src/doors/mysql/clients/README.md` says it in words. */
interface Scenario {
  readonly columns: readonly { readonly name: string; readonly kind: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly added: readonly string[]
  readonly hostile: readonly string[]
  readonly charsets: readonly { readonly name: string; readonly texts: readonly string[] }[]
  readonly noBackslash: { readonly texts: readonly string[] }
  readonly latin1: string
  readonly names: { readonly columns: readonly string[] }
  readonly errors: readonly { readonly code: number; readonly state: string }[]
}

const scenario = JSON.parse(readFileSync(SCENARIO, 'utf8')) as Scenario

const NUMBERS = 10_000
const AT_ONCE = 1000
const PLAIN = new Set(['integer', 'unsigned', 'decimal', 'float', 'double'])

function literal(kind: string, text: string | null): string {
  if (text === null) return 'null'
  if (PLAIN.has(kind)) return text
  if (kind === 'bytes') return `x'${text}'`
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

function insertNumbers(from: number): string {
  const values = Array.from({ length: AT_ONCE }, (_, at) => `(${from + at}, 'row ${from + at} é')`)
  return `insert into numbers values ${values.join(', ')}`
}

/** The tables that the clients work on. */
export function setUpScript(): string {
  const columns = scenario.columns.map(({ name, type }) => `${name} ${type}`).join(', ')
  const rows = scenario.rows.map((row) => {
    const values = row.map((text, at) => literal(scenario.columns[at]?.kind ?? '', text))
    return `insert into everything values (${values.join(', ')})`
  })
  const statements = [
    `create table everything (${columns}, primary key (id))`,
    ...rows,
    'create table numbers (id int, label varchar(255))',
    ...Array.from({ length: NUMBERS / AT_ONCE }, (_, at) => insertNumbers(at * AT_ONCE + 1)),
    'create table hostile (id int, text varchar(255))',
    'create table injected (id int)',
    'create table moved (id int)',
    'create table several (id int)',
  ]
  return `${statements.join(';\n')};\n`
}

const FLOATS = new Set(['float', 'double'])
const MOMENTS = new Set(['time', 'datetime'])

/** Languages write the same number in their own ways; a whole second may have a fraction of zeros or none. */
export function canonical(text: string, at: number): string {
  const kind = scenario.columns[at]?.kind ?? ''
  if (FLOATS.has(kind)) return String(Number(text))
  return MOMENTS.has(kind) ? text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') : text
}

const ONE = { rows: [['1']] }
const values = {
  columns: scenario.columns.map(({ name }) => name),
  rows: scenario.rows.map((row) => row.map((text, at) => text && canonical(text, at))),
}
const stored = (texts: readonly string[]) => ({ values: texts, found: texts.map(() => 1) })
const hostile = stored(scenario.hostile)

/** In which a client may ask to speak, and Boathouse refuses with 1231. */
export const OTHER_CHARSETS = scenario.charsets.map(({ name }) => name)

/** What a client says of each step when all is well, with values as text. */
export const CONTRACT: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  tls: ONE,
  plain: ONE,
  'wrong-password': { error: { code: 1045, state: '28000' } },
  database: { value: 'clients' },
  names: { columns: scenario.names.columns, rows: [['0', '2', 'a', null]] },
  'text-values': values,
  'binary-values': values,
  many: { count: NUMBERS, sum: '50005000', bytes: 108_894, last: ['10000', 'row 10000 é'] },
  parameters: { affected: 1, rows: [scenario.added.map(canonical)] },
  'hostile-prepared': hostile,
  'hostile-escaped': hostile,
  'no-backslash': stored(scenario.noBackslash.texts),
  charsets: Object.fromEntries(scenario.charsets.map(({ name, texts }) => [name, stored(texts)])),
  latin1: { value: scenario.latin1, seen: scenario.latin1 },
  transaction: { values: ['1', '0', '0', '1', '2'] },
  several: { results: [[['1']], 2, [['2']], 2] },
  errors: { errors: scenario.errors.map(({ code, state }) => ({ code, state })), ...ONE },
  affected: { values: [3, 2, 1, 0] },
  'kill-query': { error: { code: 1317, state: '70100' }, ...ONE },
  kill: { isRefused: true, isLost: true },
  timeout: { isTimeout: true },
  metadata: {
    databases: ['clients'],
    tables: ['everything', 'hostile', 'injected', 'moved', 'numbers', 'several'],
    columns: values.columns,
    keys: ['id'],
  },
}
