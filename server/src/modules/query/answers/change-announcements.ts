import { isSameName } from '@boathouse/contract'
import { type DefinedObject, readDefinition, type Statement } from '@boathouse/sql'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Log } from '../../../kernel/log.ts'
import type { NewAnnouncement } from '../../announcement/service.ts'
import type { Connection } from '../sessions/connection.ts'
import type { Ending } from '../running/ending.ts'

export interface EndedStatement {
  readonly accountId: string
  readonly statement: Statement
  readonly ending: Pick<Ending, 'state' | 'effect'>
  /** The connection as the statement found it, and as it left it. */
  readonly before: Connection
  readonly after: Connection
}

type Change = Pick<NewAnnouncement, 'type' | 'data'>
type Place = Pick<Connection, 'catalog' | 'database'>

const inDatabase = ({ catalog, database }: Place): Change => ({
  type: 'GlobalEventTypeDatabaseChanged',
  data: { catalog, database },
})

function database(name: readonly string[], { catalog }: Place): Change {
  const [inner = '', outer = catalog] = name.toReversed()
  return inDatabase({ catalog: outer, database: inner })
}

/** Something in a database. The engine takes `catalog.table` for the one in the database of the session. */
function content(name: readonly string[], place: Place): Change {
  const [, inner, outer] = name.toReversed()
  const isCatalog = outer === undefined && inner !== undefined && isSameName(inner, place.catalog)
  if (inner === undefined || isCatalog) return inDatabase(place)
  return inDatabase({ catalog: outer ?? place.catalog, database: inner })
}

/** What consoles are notified of when one of these is created, dropped or altered: where, not what. */
const CHANGES: Partial<Record<DefinedObject, (name: readonly string[], place: Place) => Change>> = {
  database,
  table: content,
  view: content,
  sequence: content,
  type: content,
  macro: content,
  index: content,
}

function changeOf(statement: Statement, place: Place): Change | null {
  // EXPLAIN ANALYZE does what it explains.
  const done = statement.explained?.analyze ? statement.explained : statement
  if (!/^(create|drop|alter)-/.test(done.kind)) return null
  const definition = readDefinition(statement, done.first)
  if (!definition || definition.temporary) return null
  return CHANGES[definition.object]?.(definition.name, place) ?? null
}

/** Of all transactions together; those of connections that were closed in the middle are pushed out in time. */
const MAX_UNCOMMITTED = 10_000

/** Of a statement that was cut off. */
const MAY_BE_DONE = new Set<Ending['effect']>(['taken', 'unknown', 'untold'])

const isSame = (one: Change, other: Change): boolean =>
  one.type === other.type && JSON.stringify(one.data) === JSON.stringify(other.data)

/**
 * Other open consoles look again at what was defined, dropped or altered. What a transaction changes is there for others
 * when it is committed, and is announced then; what it rolls back is never announced.
 */
export function createChangeAnnouncements({
  announce,
  log,
}: {
  readonly announce: (announcement: NewAnnouncement) => Promise<void>
  readonly log: Log
}) {
  const uncommitted = new BoundedMap<readonly Change[]>(MAX_UNCOMMITTED)

  function keepUntilCommit(key: string, change: Change): void {
    const known = uncommitted.get(key) ?? []
    if (known.some((other) => isSame(other, change))) return
    uncommitted.set(key, [...known, change], known.length + 1)
  }

  /** What can be announced now, of this statement and of those before it in its transaction. */
  function due({ statement, ending, before, after }: EndedStatement): readonly Change[] {
    const key = String(after.id)
    const isDone = ending.state === 'finished' || MAY_BE_DONE.has(ending.effect)
    const change = isDone ? changeOf(statement, before) : null
    if (change && after.inTransaction) keepUntilCommit(key, change)
    const isCommitted = isDone && statement.kind === 'commit'
    if (after.inTransaction && !isCommitted) return []
    const committed = isCommitted ? (uncommitted.get(key) ?? []) : []
    uncommitted.delete(key)
    return change ? [change] : committed
  }

  return {
    async ended(statement: EndedStatement): Promise<void> {
      const { accountId } = statement
      for (const change of due(statement))
        // Consoles that miss it show something old; the statement is done, and those behind it must not wait.
        await announce({ accountId, userId: null, ...change }).catch((error: unknown) =>
          log.warn({ err: error }, 'a change of a catalog was not announced'),
        )
    },
  }
}

export type ChangeAnnouncements = ReturnType<typeof createChangeAnnouncements>
