import { createHash } from 'node:crypto'
import { foldedName } from '@boathouse/contract'
import { kindAt, namedTables, type Statement, type StatementKind, textAt, TOKEN } from '@boathouse/sql'
import type { Ending } from '../query/running/ending.ts'
import type { TablePlace } from './table-key-store.ts'

export interface TableUse extends TablePlace {
  readonly writes: boolean
}

/** A statement that ended, and where it ran. */
export interface EndedStatement {
  readonly statement: Pick<Statement, 'kind' | 'text' | 'start' | 'tokens' | 'first' | 'until'>
  readonly ending: Pick<Ending, 'state' | 'effect' | 'needed' | 'changed' | 'engineId'>
  readonly catalog: string
  readonly database: string | null
}

const COUNTED: ReadonlySet<StatementKind> = new Set<StatementKind>([
  'select',
  'pivot',
  'unpivot',
  'summarize',
  'insert',
  'update',
  'delete',
  'merge',
  'truncate',
  'create-table',
  'alter-table',
  'load-file',
  'stream-load',
])

const WRITING: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE', 'ALTER'])
const TABLE_LIKE: ReadonlySet<string> = new Set(['table', 'view', 'materialized_view'])

/** A statement reads few tables; one that names more is a list of them. */
const MOST = 50

function placeOf(parts: readonly string[], { catalog, database }: EndedStatement): TablePlace | null {
  const [name, inDatabase = database, inCatalog = catalog] = parts.toReversed()
  return name === undefined || inDatabase === null || parts.length > 3
    ? null
    : { catalog: inCatalog, database: inDatabase, name }
}

const byText = (ended: EndedStatement): TableUse[] =>
  namedTables(ended.statement).flatMap(({ parts, writes }) => {
    const place = placeOf(parts, ended)
    return place ? [{ ...place, writes }] : []
  })

/** What the engine said that the statement uses, where it was asked. */
function byPrivileges({ needed }: EndedStatement['ending']): TableUse[] | null {
  if (needed === undefined || needed === 'all') return null
  return needed
    .filter(({ object }) => TABLE_LIKE.has(object.type))
    .map(({ privilege, object: { catalog, database, name } }) => ({
      catalog,
      database,
      name,
      writes: WRITING.has(privilege),
    }))
}

const created = ({ changed = [] }: EndedStatement['ending']): TableUse[] =>
  changed.flatMap(({ change, object }) =>
    change === 'created' && object.type === 'table'
      ? [{ catalog: object.catalog, database: object.database ?? '', name: object.name ?? '', writes: true }]
      : [],
  )

const keyOf = ({ catalog, database, name, writes }: TableUse): string =>
  JSON.stringify([foldedName(catalog), foldedName(database), foldedName(name), writes])

const isDone = ({ state, effect, engineId }: EndedStatement['ending']): boolean =>
  state === 'finished' && effect !== 'not taken' && engineId !== undefined

/**
 * Which tables a statement read and wrote. Of a sender whose privileges were asked about the engine has said so; of one
 * who may do everything nobody asks it, and the text says which tables it names.
 */
export function usesOfStatement(ended: EndedStatement): TableUse[] {
  const { statement, ending } = ended
  if (!isDone(ending) || !COUNTED.has(statement.kind)) return []
  const asked = byPrivileges(ending)
  // Who creates a table needs a privilege on its database alone.
  const made = created(ending)
  const named = asked === null ? byText(ended) : asked
  const all = new Map([...named, ...made].map((use) => [keyOf(use), use]))
  return [...all.values()].slice(0, MOST)
}

const MOST_TOKENS = 4_000
const VALUES: ReadonlySet<number> = new Set([TOKEN.string, TOKEN.number, TOKEN.punctuation, TOKEN.parameter])

/** The same for statements that differ in their values, and in how many these are. */
export function digestOf({ statement }: Pick<EndedStatement, 'statement'>): string {
  const hash = createHash('sha256')
  const until = Math.min(statement.until, statement.first + MOST_TOKENS)
  for (let at = statement.first; at < until; at++)
    if (!VALUES.has(kindAt(statement, at))) hash.update(`${textAt(statement, at)} `)
  return hash.digest('base64url').slice(0, 22)
}
