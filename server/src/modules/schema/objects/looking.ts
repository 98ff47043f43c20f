import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { Asking } from '../../../engines/engine/asking.ts'
import type { CatalogReader, Catalogs } from '../../../engines/engine/catalogs.ts'
import type { DescriptionReader, TableStatements } from '../../../engines/engine/descriptions.ts'
import type { Dialect } from '../../../engines/engine/dialect.ts'
import { type Engine, EngineUnavailable, type UseEngine } from '../../../engines/engine/engine.ts'
import type { EngineSession } from '../../../engines/engine/session.ts'
import type { ExecuteOptions } from '../../../engines/engine/run.ts'
import type { FinishedOutcome, Outcome } from '../../../engines/engine/outcome.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import { diskFull, isDiskFull } from '../../../kernel/disk-full.ts'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { Authority } from '../../access/authority.ts'
import { findCatalog, toldTo } from '../catalogs/catalogs.ts'

/** An engine that works hard lists names late; nobody waits longer than this for a list. */
const BUSY_MS = 30_000
const HOME = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE, timeZone: 'UTC', variables: {} }

/** Without a limit of its own, a list has at most so many rows. */
const MOST_ROWS = 100_000

/** How a description is read, where that is not with the authority and within the time of the service. */
export interface Reading extends Partial<Pick<ExecuteOptions, 'authorize' | 'longestCell'>> {
  readonly withinMs?: number
}

/** A statement of such a reading did not finish. */
export class NotFinished extends Error {
  override readonly name = 'NotFinished'

  constructor(readonly outcome: Exclude<Outcome, FinishedOutcome>) {
    super(`A description was not read: ${outcome.state}`)
  }
}

/** An engine in which something is looked for, or changed. */
export interface Looking {
  readonly catalogs: Catalogs
  /** Databases, tables and views by their names. */
  readonly lists: CatalogReader
  /** Rejects when a list takes too long, since the engine is too busy. */
  soon<T>(list: Promise<T>): Promise<T>
  /** The true name of a catalog; throws where there is none. */
  catalogNamed(name: string): string
  hasCatalog(name: string): boolean
  /** Throws for a catalog that cannot be read right now. */
  requireReadable(catalog: string): Promise<void>
  /** Null where the engine does not describe its tables. */
  readonly descriptions: DescriptionReader | null
  /** The same, but throws there. What is read in a way of its own rejects with `NotFinished`. */
  describe(how?: Reading): DescriptionReader
  /** By which tables and views are changed; throws as `describe` does. */
  statements(): TableStatements
  readonly sampleData: Dialect['sampleData']
  /** Null where the engine does not know them. */
  readonly sizes: Engine['tableSizes']
  /** Any statement, to its end; it is cancelled when it takes longer than that. */
  run(sql: string, options: RunOptions): Promise<Outcome>
}

export interface RunOptions extends Pick<ExecuteOptions, 'authorize' | 'takenFor' | 'maxRows'> {
  /** By which the engine remembers it. */
  readonly queryId?: string | undefined
  readonly longestCell?: number | undefined
  readonly withinMs?: number
}

const nothingToList = () => new AppError('NotFound', 'The engine of this account has no databases or tables.')

export const noDescriptions = () =>
  new AppError('NotFound', 'The engine of this account does not describe its tables.')

const unavailable = (message: string, cause?: unknown) => new AppError('Unavailable', message, { cause })

const tooBusy = () => unavailable('The engine of this account is too busy. Try again later.')

export function errorOf(outcome: Exclude<Outcome, FinishedOutcome>): Error {
  if (outcome.state === 'lost')
    return unavailable(`The engine ended while it listed names (${outcome.reason}). Try again.`)
  if (outcome.state === 'cancelled') return tooBusy()
  const { kind, message } = outcome.error
  if (kind === 'unavailable') return unavailable(message)
  if (kind === 'resource') return new AppError('QuotaExceeded', message)
  // No query of ours is refused but for the name in it, which is one of the service's own.
  if (kind === 'permission') return new AppError('NotFound', 'There is no such database, or it was dropped.')
  if (kind === 'missing')
    return new AppError('NotFound', 'There is no such table or view, or it was dropped.')
  return new Error(`The engine cannot list names: ${message}`)
}

/** How an engine reads in a session of the service. With `how`, the caller decides what an unfinished read means. */
const askingIn =
  (run: Looking['run']) =>
  (how?: Reading): Asking => ({
    inTransaction: false,
    read: async (sql, maxRows = MOST_ROWS) => {
      const outcome = await run(sql, { takenFor: 'reads', authorize: 'all', ...how, maxRows })
      if (outcome.state === 'finished') return outcome.result
      throw how ? new NotFinished(outcome) : errorOf(outcome)
    },
  })

/** Works in the account's engine without a warehouse, in a session of its own: nobody's transaction or place is touched. */
export function createLooking({
  useServiceEngine,
  busyMs = BUSY_MS,
}: {
  /** Runs work of any length in the account's engine, without a warehouse. */
  readonly useServiceEngine: UseEngine
  readonly busyMs?: number | undefined
}) {
  async function run(session: EngineSession, sql: string, options: RunOptions): Promise<Outcome> {
    const { withinMs = busyMs, queryId = timeOrderedId(), ...asked } = options
    const query = session.execute(sql, { ...asked, queryId, keep: null, profile: null })
    const timer = setTimeout(() => void query.cancel(), withinMs)
    return query.outcome.finally(() => clearTimeout(timer))
  }

  /** What takes longer still runs to its end: the next who asks may find it done. */
  async function soon<T>(work: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(tooBusy()), busyMs)
    })
    return Promise.race([work, late]).finally(() => clearTimeout(timer))
  }

  return async function look<T>(
    { accountId, user }: Pick<Actor, 'accountId' | 'user'>,
    work: (looking: Looking) => Promise<T>,
  ): Promise<T> {
    try {
      return await useServiceEngine(accountId, async (engine) => {
        const { catalogs, descriptions, dialect } = engine
        if (!catalogs) throw nothingToList()
        const session = await engine.openSession({ ...HOME, user })
        try {
          const asking = askingIn((sql, options) => run(session, sql, options))
          const describe: Looking['describe'] = (how) => {
            if (!descriptions) throw noDescriptions()
            return descriptions.in(asking(how))
          }
          return await work({
            catalogs,
            lists: catalogs.in(asking()),
            soon,
            catalogNamed: (name) => findCatalog(engine, name),
            hasCatalog: (name) => isFirst(name) || engine.attachments?.named(name) != null,
            requireReadable: async (name) => {
              const why = isFirst(name) ? null : await engine.attachments?.check(name)
              if (why) throw new AppError('QueryFailed', why)
            },
            descriptions: descriptions && describe(),
            describe,
            statements: () => {
              if (!descriptions) throw noDescriptions()
              return descriptions.statements
            },
            sampleData: dialect.sampleData,
            sizes: engine.tableSizes,
            run: (sql, options) => run(session, sql, options),
          })
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
}

export type Look = ReturnType<typeof createLooking>

/** The same for a user. To them, catalogs that they may not use are not there. */
export function createLookingFor({
  authority,
  ...parts
}: Parameters<typeof createLooking>[0] & { readonly authority: Pick<Authority, 'may'> }) {
  const look = createLooking(parts)
  return async <T>(actor: Actor, work: (looking: Looking) => Promise<T>): Promise<T> => {
    try {
      return await look(actor, work)
    } catch (error) {
      throw await toldTo(actor, error, authority)
    }
  }
}

export type LookFor = ReturnType<typeof createLookingFor>
