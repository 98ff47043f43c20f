import {
  type AccessObject,
  type Catalog,
  type CommonSearch,
  DEFAULT_CATALOG,
  DEFAULT_DATABASE,
} from '@boathouse/contract'
import type { Catalogs, DatabasePlace, NamedObject, NamePage, TableType } from '../../engines/dialect.ts'
import { type EngineSession, EngineUnavailable, type Outcome, type UseEngine } from '../../engines/engine.ts'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts'
import { timeOrderedId } from '../../kernel/time-ordered-id.ts'
import type { Authority } from '../access/authority.ts'
import { CATALOGS } from './catalogs.ts'

export interface SchemaParts {
  /** Runs work of any length in the account's engine, without a warehouse. */
  readonly useServiceEngine: UseEngine
  /** The names that somebody may see. */
  readonly visible: Authority['visible']
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
  readonly type: TableType
  readonly search: CommonSearch
}

/** An engine in which something is looked for. */
interface Looking {
  readonly session: EngineSession
  readonly catalogs: Catalogs
}

const pageOf = ({ orders: [order], offset, limit }: CommonSearch): Omit<NamePage, 'seen'> => ({
  descending: order?.desc ?? false,
  offset,
  limit,
})

const typeOf = ({ type }: AccessObject): NamedObject['type'] =>
  type === 'view' || type === 'function' ? type : 'table'

const nothingToList = () =>
  new AppError('NotFound', 'The engine of this account has no databases and tables to list.')

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
export function createSchemas({ useServiceEngine, visible, busyMs = BUSY_MS }: SchemaParts) {
  async function run(session: EngineSession, sql: string, maxRows: number) {
    const options = {
      takenFor: 'reads',
      authority: 'all',
      maxRows,
      queryId: timeOrderedId(),
      keep: null,
      profile: null,
    } as const
    const query = session.execute(sql, options)
    const timer = setTimeout(() => void query.cancel(), busyMs)
    const outcome = await query.outcome.finally(() => clearTimeout(timer))
    if (outcome.state === 'finished') return outcome.result.rows
    throw errorOf(outcome)
  }

  /** In a session of its own: nobody's transaction, place or loss is touched by looking. */
  async function inSession<T>(actor: Actor, work: (looking: Looking) => Promise<T>): Promise<T> {
    try {
      return await useServiceEngine(actor.accountId, async (engine) => {
        const { catalogs } = engine
        if (!catalogs) throw nothingToList()
        const session = await engine.openSession(HOME)
        try {
          return await work({ session, catalogs })
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

  async function readPage(session: EngineSession, sql: string, limit: number): Promise<Page> {
    const rows = await run(session, sql, limit)
    return { names: rows.flatMap(([, name]) => name ?? []), total: Number(rows[0]?.[0] ?? 0) }
  }

  async function listIn(actor: Actor, asked: DatabasePlace, list: ListOrder): Promise<Page> {
    const place = { ...asked, catalog: findCatalog(asked.catalog) }
    const { type, search } = list
    const seen = await visible(actor, { ...place, type: type === 'VIEW' ? 'view' : 'table' })
    return inSession(actor, async ({ session, catalogs }) => {
      const sql = catalogs.tablePage(place, type, { ...pageOf(search), seen })
      const page = await readPage(session, sql, search.limit)
      const isThere = page.total > 0 || (await run(session, catalogs.databaseNamed(place), 1)).length > 0
      if (!isThere) throw noSuchDatabase(place)
      return page
    })
  }

  return {
    async catalogs(
      actor: Actor,
      { orders: [order], offset, limit }: CommonSearch,
    ): Promise<{ list: Catalog[]; total: number }> {
      const sorted = CATALOGS.toSorted((a, b) => (a.name < b.name ? -1 : 1) * (order?.desc ? -1 : 1))
      return { list: sorted.slice(offset, offset + limit), total: sorted.length }
    },

    async databases(actor: Actor, catalog: string, search: CommonSearch): Promise<Page> {
      const place = { type: 'database', catalog: findCatalog(catalog) } as const
      const seen = await visible(actor, place)
      return inSession(actor, ({ session, catalogs }) =>
        readPage(session, catalogs.databasePage(place.catalog, { ...pageOf(search), seen }), search.limit),
      )
    },

    /** An object of data by its true name, or null when it is not there; empty parts stand for all. */
    async trueNames(actor: Actor, object: AccessObject): Promise<AccessObject | null> {
      if (object.catalog === '') return object
      const catalog = CATALOGS.find(({ name }) => name.toLowerCase() === object.catalog.toLowerCase())?.name
      if (catalog === undefined) return null
      if (object.database === '') return { ...object, catalog }
      return inSession(actor, async ({ session, catalogs }) => {
        const [found] = await run(session, catalogs.databaseNamed({ catalog, database: object.database }), 1)
        const database = found?.[0]
        if (database == null) return null
        if (object.name === '') return { ...object, catalog, database }
        const [named] = await run(
          session,
          catalogs.objectNamed({ catalog, database }, { type: typeOf(object), name: object.name }),
          1,
        )
        const name = named?.[0]
        return name == null ? null : { ...object, catalog, database, name }
      })
    },

    tables: (actor: Actor, place: DatabasePlace, search: CommonSearch): Promise<Page> =>
      listIn(actor, place, { type: 'BASE TABLE', search }),

    views: (actor: Actor, place: DatabasePlace, search: CommonSearch): Promise<Page> =>
      listIn(actor, place, { type: 'VIEW', search }),
  }
}

export type Schemas = ReturnType<typeof createSchemas>
