import {
  DEFAULT_CATALOG,
  DEFAULT_DATABASE,
  DEFAULT_WAREHOUSE_NAME,
  LIMITS,
  MESSAGES,
  isSameName,
} from '@boathouse/contract'
import type { StatementKind } from '@boathouse/sql'
import type { Actor } from '../../../kernel/actor.ts'
import { aborted } from '../../../kernel/aborted.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { NOTHING_TO_LOSE, type SessionFacts } from '../../../engines/engine/session.ts'
import { inBatches } from '../../../store/in-batches.ts'
import { jsonText } from '../../../store/json-text.ts'
import type { SessionPlace } from '../answers/answer.ts'
import type { QueryStore } from '../store.ts'
import { ENTERING } from '../unfinished-store.ts'
import type { ConnectionRow } from './connection-store.ts'

/** Connections. */
const REMEMBERED = 10_000
const IDLE_MS = 12 * 3_600_000
/** An open console keeps its connections alive every half minute: these were left behind. */
const UNUSED_MS = 10 * 60_000
/** A renaming waits up to 2 s for statements that are about to end. */
const RENAMING_MS = 5_000

const SHARE_FULL = `${MESSAGES.connectionLimit}: you have ${LIMITS.connectionsPerUser}, the maximum for one user of the ${LIMITS.connectionsPerAccount} of an account. Close tabs or programs that you do not use.`

/** A query connection: plain data kept by the service, so that it outlives channels, engines and servers. */
export interface Connection extends SessionPlace, SessionFacts {
  readonly id: number
  /** Null: none is chosen, and the account has none for that case. `warehouse` is how it is called. */
  readonly warehouseId: string | null
  /** The kind of engine that the warehouse has. What the session holds (`SessionFacts`) is in that engine. */
  readonly engine: string
  readonly variables: Readonly<Record<string, string>>
}

export type ConnectionChange = Partial<
  SessionPlace & SessionFacts & Pick<Connection, 'warehouseId' | 'engine' | 'variables'>
>

/** Most statements leave their connection as it was: then nothing is written. */
export const isMoved = (connection: Connection, change: ConnectionChange): boolean =>
  Object.entries(change).some(([name, value]) => connection[name as keyof Connection] !== value)

const presentIn =
  (homeEngine: string) =>
  (row: ConnectionRow): Connection => ({
    id: row.connection_id,
    catalog: row.catalog,
    database: row.database_name,
    warehouseId: row.warehouse_id,
    warehouse: row.warehouse_id === null ? DEFAULT_WAREHOUSE_NAME : (row.warehouse_name ?? ''),
    engine: row.warehouse_engine ?? homeEngine,
    variables: row.variables as Record<string, string>,
    inTransaction: row.in_transaction,
    hasTemporary: row.has_temporary,
  })

export interface ConnectionRequest {
  /** 0 asks for a new one; anything else must be alive and the actor's own. */
  readonly connectionId: number
  /** What a new one takes its place from. */
  readonly previousConnectionId: number
  readonly clientId: string
  /** Where a new one stands, when that is not where the one before does. */
  readonly place?: Pick<Connection, 'catalog' | 'database' | 'warehouseId'> &
    Partial<Pick<Connection, 'variables'>>
}

export interface ConnectionParts {
  readonly store: QueryStore
  /** The kind of engine that has an account's own data; warehouses have it unless they name another. */
  readonly homeEngine: string
  readonly clock: Clock
  /** Called with connections that were closed to make room for another. */
  readonly onClosed: (ids: readonly number[]) => void
  /** A warehouse was chosen for the connection, which has this engine. */
  readonly onEngineChosen?: (id: number, engine: string) => unknown
  /** For a catalog that is renamed. */
  readonly mostWaitedMs?: number
}

interface Remembered {
  readonly userId: string
  /** Of its account, see `forgotten`. */
  readonly round: number
  readonly connection: Connection
}

/** A catalog is given another name. */
interface Renaming {
  readonly accountId: string
  /** As it was called before. */
  readonly catalog: string
  /** It has the new name, or keeps the one it had. */
  readonly ended: Promise<unknown>
}

const isOf = (renaming: Renaming, catalog: string): boolean => isSameName(renaming.catalog, catalog)

const stillRenamed = (catalog: string) =>
  new AppError('Conflict', `The catalog ${catalog} is being renamed. Send the statement again in a moment.`)

export function createConnections(parts: ConnectionParts) {
  const { store, homeEngine, clock, onClosed, onEngineChosen, mostWaitedMs = RENAMING_MS } = parts
  const present = presentIn(homeEngine)
  /** As they stand, of those used last: a server has its database for itself, so that nobody else changes them. */
  const remembered = new BoundedMap<Remembered>(REMEMBERED)
  /** How often all of an account were forgotten. */
  const forgotten = new Map<string, number>()
  /** Goes up with every change: what was read before it may be what it was. */
  let changes = 0
  const renamings = new Set<Renaming>()

  /** To be called when the change is written. */
  function forget(ids: readonly number[]): void {
    changes++
    for (const id of ids) remembered.delete(String(id))
  }

  async function find(actor: Actor, id: number): Promise<Connection | undefined> {
    const known = remembered.get(String(id))
    const round = forgotten.get(actor.accountId) ?? 0
    if (known?.round === round) return known.userId === actor.userId ? known.connection : undefined
    const changesBefore = changes
    const [row] = id > 0 ? await store.connections(actor.userId, [id]) : []
    const connection = row && present(row)
    if (connection && changes === changesBefore)
      remembered.set(String(id), { userId: actor.userId, round, connection }, 1)
    return connection
  }

  async function open(actor: Actor, request: ConnectionRequest): Promise<Connection> {
    const { previousConnectionId, place } = request
    const previous =
      previousConnectionId > 0 ? await store.anyConnection(actor.userId, previousConnectionId) : undefined
    const from = previous && present(previous)
    // What one that lives has is still there, and its own.
    const lost = previous?.closed_at ? present(previous) : NOTHING_TO_LOSE
    const now = clock.now()
    const asked = {
      account_id: actor.accountId,
      user_id: actor.userId,
      client_id: request.clientId,
      catalog: place?.catalog ?? from?.catalog ?? DEFAULT_CATALOG,
      database_name: place ? place.database : from ? from.database : DEFAULT_DATABASE,
      warehouse_id: place ? place.warehouseId : (from?.warehouseId ?? null),
      variables: jsonText(place?.variables ?? from?.variables ?? {}),
      in_transaction: lost.inTransaction,
      has_temporary: lost.hasTemporary,
      created_at: now,
      last_used_at: now,
    }
    const { connection, closed, full } = await store.openConnection(asked, {
      mostOfAccount: LIMITS.connectionsPerAccount,
      mostOfUser: LIMITS.connectionsPerUser,
      unusedSince: new Date(now.getTime() - UNUSED_MS),
    })
    forget(closed)
    if (closed.length > 0) onClosed(closed)
    if (!connection)
      throw new AppError('ConnectionLimit', full === 'user' ? SHARE_FULL : MESSAGES.connectionLimit)
    return present(connection)
  }

  return {
    homeEngine,

    /** The one that a request will run on, or take its variables from, before it is accepted. */
    async before(
      actor: Actor,
      { connectionId, previousConnectionId }: ConnectionRequest,
    ): Promise<Connection | undefined> {
      if (connectionId !== 0) return find(actor, connectionId)
      if (previousConnectionId <= 0) return undefined
      const previous = await store.anyConnection(actor.userId, previousConnectionId)
      return previous && present(previous)
    },

    /** CHANNEL-16, CHANNEL-35: a connection that is gone answers 40004, and the client asks for a new one. */
    async resolve(actor: Actor, request: ConnectionRequest): Promise<Connection> {
      if (request.connectionId === 0) return open(actor, request)
      const found = await find(actor, request.connectionId)
      if (!found) throw new AppError('ConnectionLost', 'The query connection was lost.')
      return found
    },

    /**
     * Between its acceptance and its begin the catalog of a statement may be given another name. One that was written
     * down before is counted by whoever renames, and one that was not waits here; one that enters a catalog waits for
     * each. What an open transaction uses keeps its name, and the renaming may wait for its end.
     */
    async named(
      { accountId }: Pick<Actor, 'accountId'>,
      { catalog, inTransaction }: Pick<Connection, 'catalog' | 'inTransaction'>,
      { kind, stop }: { readonly kind: StatementKind; readonly stop: AbortSignal },
    ): Promise<void> {
      if (inTransaction) return
      const isMeant = (one: Renaming) => ENTERING.includes(kind) || isOf(one, catalog)
      const renaming = () => [...renamings].find((one) => one.accountId === accountId && isMeant(one))
      if (!renaming()) return
      const waiting = AbortSignal.any([stop, AbortSignal.timeout(mostWaitedMs)])
      for (let one = renaming(); one; one = renaming()) {
        await Promise.race([one.ended, aborted(waiting)])
        if (stop.aborted) return
        if (waiting.aborted) throw stillRenamed(one.catalog)
      }
    },

    /** As it stands when a statement of it begins. */
    async current(actor: Actor, connection: Connection): Promise<Connection> {
      if (connection.catalog === DEFAULT_CATALOG) return connection
      const { catalog } = (await find(actor, connection.id)) ?? connection
      return catalog === connection.catalog ? connection : { ...connection, catalog }
    },

    /** Until what it gives is called, no statement begins in this catalog, but for those of open transactions. */
    beginRenaming(accountId: string, catalog: string): () => void {
      const ending = new AbortController()
      const one = { accountId, catalog, ended: aborted(ending.signal) }
      renamings.add(one)
      return () => {
        renamings.delete(one)
        ending.abort()
      }
    },

    /** CHANNEL-30: which of these the service does not know any more; the others are kept alive. */
    async keepAlive(actor: Actor, ids: readonly number[]): Promise<number[]> {
      const asked = [...new Set(ids)].filter((id) => id > 0)
      const alive =
        asked.length === 0 ? [] : await store.keepConnectionsAlive(actor.userId, asked, clock.now())
      const aliveIds = new Set(alive)
      return ids.filter((id) => !aliveIds.has(id))
    },

    async move(id: number, change: ConnectionChange): Promise<void> {
      await store.moveConnection(id, {
        ...(change.catalog === undefined ? {} : { catalog: change.catalog }),
        ...(change.database === undefined ? {} : { database_name: change.database }),
        ...(change.warehouseId === undefined
          ? {}
          : {
              warehouse: {
                id: change.warehouseId,
                name: change.warehouse ?? '',
                engine: change.engine ?? null,
              },
            }),
        ...(change.variables === undefined ? {} : { variables: jsonText(change.variables) }),
        ...(change.inTransaction === undefined ? {} : { in_transaction: change.inTransaction }),
        ...(change.hasTemporary === undefined ? {} : { has_temporary: change.hasTemporary }),
      })
      forget([id])
      if (change.engine !== undefined) onEngineChosen?.(id, change.engine)
    },

    /** Something else has changed some of an account's, as the name that a warehouse is given. */
    forgetAllOf(accountId: string): void {
      changes++
      forgotten.set(accountId, (forgotten.get(accountId) ?? 0) + 1)
    },

    async close(actor: Actor, id: number): Promise<boolean> {
      if (!(await find(actor, id))) return false
      await store.closeConnection(actor.accountId, id, clock.now())
      forget([id])
      return true
    },

    /** Whoever's it is; whoever calls has found that they may. False when the account has no such one. */
    async closeOf(accountId: string, id: number): Promise<boolean> {
      const isClosed = await store.closeConnection(accountId, id, clock.now())
      forget([id])
      return isClosed
    },

    async closeIdle(): Promise<number[]> {
      const unusedSince = new Date(clock.now().getTime() - IDLE_MS)
      const ids: number[] = []
      await inBatches(async (most) => {
        const rows = await store.closeIdleConnections(unusedSince, clock.now(), most)
        const closed = rows.map((row) => row.connection_id)
        forget(closed)
        ids.push(...closed)
        return closed.length
      })
      return ids
    },
  }
}

export type Connections = ReturnType<typeof createConnections>
