import { type Catalog, type CommonSearch, DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { Engine, EngineSession, Outcome } from '../../engines/engine.ts'
import { EngineUnavailable } from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Verdict } from '../query/gate.ts'
import { CATALOGS, databaseNamed, databasesIn, type DatabasePlace, pageOf, tablesIn } from './listing.ts'

export interface SchemaParts {
  /** Runs work of any length in the account's engine, without a warehouse. */
  readonly useServiceEngine: <T>(accountId: string, work: (engine: Engine) => Promise<T>) => Promise<T>
  /** Whether somebody may run a statement. */
  readonly judge: (actor: Actor, sql: string) => Verdict
  readonly busyMs?: number
}

/** An engine that works hard lists names late; nobody waits longer than this for a list. */
const BUSY_MS = 30_000
const HOME = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE, timeZone: 'UTC', variables: {} }

interface Page {
  readonly names: string[]
  readonly total: number
}

interface ListOrder {
  readonly type: 'BASE TABLE' | 'VIEW'
  readonly search: CommonSearch
}

const unavailable = (message: string, cause?: unknown) => new AppError('Unavailable', message, { cause })

const noSuchDatabase = ({ catalog, database }: DatabasePlace) =>
  new AppError('NotFound', `There is no database ${database} in the catalog ${catalog}, or it was dropped.`)

function findCatalog(name: string): string {
  const found = CATALOGS.find((catalog) => catalog.name.toLowerCase() === name.toLowerCase())
  if (!found) throw new AppError('NotFound', `There is no catalog ${name}, or it was dropped.`)
  return found.name
}

function errorOf(outcome: Exclude<Outcome, { state: 'finished' }>): Error {
  if (outcome.state === 'lost')
    return unavailable(`The engine ended while it listed names (${outcome.reason}). Try again.`)
  if (outcome.state === 'cancelled')
    return unavailable('The engine of this account is too busy to list names. Try again later.')
  const { kind, message } = outcome.error
  if (kind === 'unavailable') return unavailable(message)
  if (kind === 'resource') return new AppError('QuotaExceeded', message)
  // No query of ours is refused but for the name in it, which is one of the service's own.
  if (kind === 'permission') return new AppError('NotFound', 'There is no such database, or it was dropped.')
  return new Error(`The engine cannot list names: ${message}`)
}

/** What there is in the account, as SHOW CATALOGS, SHOW DATABASES and SHOW TABLES tell it, page by page. */
export function createSchemas({ useServiceEngine, judge, busyMs = BUSY_MS }: SchemaParts) {
  function requireAllowed(actor: Actor, sql: string): void {
    const verdict = judge(actor, sql)
    if (!verdict.allowed) throw new AppError('NoPermission', verdict.refusal.message)
  }

  async function run(session: EngineSession, sql: string, maxRows: number) {
    const options = {
      takenFor: 'reads',
      maxRows,
      queryId: timeOrderedId(),
      keep: null,
      profile: false,
    } as const
    const query = session.execute(sql, options)
    const timer = setTimeout(() => void query.cancel(), busyMs)
    const outcome = await query.outcome.finally(() => clearTimeout(timer))
    if (outcome.state === 'finished') return outcome.result.rows
    throw errorOf(outcome)
  }

  /** In a session of its own: nobody's transaction, place or loss is touched by looking. */
  async function inSession<T>(actor: Actor, work: (session: EngineSession) => Promise<T>): Promise<T> {
    try {
      return await useServiceEngine(actor.accountId, async (engine) => {
        const session = await engine.openSession(HOME)
        try {
          return await work(session)
        } finally {
          await session.close()
        }
      })
    } catch (error) {
      if (isDiskFull(error)) throw diskFull(error)
      if (error instanceof EngineUnavailable) throw unavailable(error.message, error)
      throw error
    }
  }

  async function readPage(session: EngineSession, names: string, search: CommonSearch): Promise<Page> {
    const rows = await run(session, pageOf(names, search), search.limit)
    return { names: rows.flatMap(([, name]) => name ?? []), total: Number(rows[0]?.[0] ?? 0) }
  }

  async function listIn(actor: Actor, asked: DatabasePlace, list: ListOrder): Promise<Page> {
    requireAllowed(actor, 'SHOW TABLES')
    const place = { ...asked, catalog: findCatalog(asked.catalog) }
    return inSession(actor, async (session) => {
      const page = await readPage(session, tablesIn(place, list.type), list.search)
      const isThere = page.total > 0 || (await run(session, databaseNamed(place), 1)).length > 0
      if (!isThere) throw noSuchDatabase(place)
      return page
    })
  }

  return {
    async catalogs(
      actor: Actor,
      { orders: [order], offset, limit }: CommonSearch,
    ): Promise<{ list: Catalog[]; total: number }> {
      requireAllowed(actor, 'SHOW CATALOGS')
      const sorted = CATALOGS.toSorted((a, b) => (a.name < b.name ? -1 : 1) * (order?.desc ? -1 : 1))
      return { list: sorted.slice(offset, offset + limit), total: sorted.length }
    },

    async databases(actor: Actor, catalog: string, search: CommonSearch): Promise<Page> {
      requireAllowed(actor, 'SHOW DATABASES')
      const names = databasesIn(findCatalog(catalog))
      return inSession(actor, (session) => readPage(session, names, search))
    },

    tables: (actor: Actor, place: DatabasePlace, search: CommonSearch): Promise<Page> =>
      listIn(actor, place, { type: 'BASE TABLE', search }),

    views: (actor: Actor, place: DatabasePlace, search: CommonSearch): Promise<Page> =>
      listIn(actor, place, { type: 'VIEW', search }),
  }
}

export type Schemas = ReturnType<typeof createSchemas>
