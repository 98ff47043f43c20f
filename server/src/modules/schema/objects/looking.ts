import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract'
import type { Catalogs } from '../../../engines/engine/catalogs.ts'
import type { Descriptions } from '../../../engines/engine/descriptions.ts'
import type { Dialect } from '../../../engines/engine/dialect.ts'
import type { AskedNames, NamesFound } from '../../../engines/engine/names.ts'
import type { Cell } from '../../../engines/engine/rows.ts'
import { type Engine, EngineUnavailable, type UseEngine } from '../../../engines/engine/engine.ts'
import type { EngineSession } from '../../../engines/engine/session.ts'
import type { ExecuteOptions } from '../../../engines/engine/run.ts'
import type { FinishedOutcome, Outcome } from '../../../engines/engine/outcome.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { diskFull, isDiskFull } from '../../../kernel/disk-full.ts'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { Authority } from '../../access/authority.ts'
import { findCatalog, isFirst, toldTo } from '../catalogs/catalogs.ts'

/** An engine that works hard lists names late; nobody waits longer than this for a list. */
const BUSY_MS = 30_000
const HOME = { catalog: DEFAULT_CATALOG, database: DEFAULT_DATABASE, timeZone: 'UTC', variables: {} }

export type Rows = readonly (readonly Cell[])[]

/** Asks an engine for a name, in its words. */
export type AskNames = (say: (catalogs: Catalogs) => string) => Promise<Rows>

/** An engine in which something is looked for, or changed. */
export interface Looking {
  readonly catalogs: Catalogs
  /** The true name of a catalog; throws where there is none. */
  catalogNamed(name: string): string
  hasCatalog(name: string): boolean
  /** Throws for a catalog that cannot be read right now. */
  requireReadable(catalog: string): Promise<void>
  /** Throws where the engine has none. */
  descriptions(): Descriptions
  /** The same, or null. */
  readonly told: Descriptions | null
  readonly sampleData: Dialect['sampleData']
  /** Null where the engine does not tell. */
  readonly sizes: Engine['tableSizes']
  /** Names that the engine has at hand; null where it has not. */
  names(asked: AskedNames): Promise<NamesFound | null>
  /** One row of what is known of names, or none. */
  readonly ask: AskNames
  /** What a statement of the service's own reads. */
  rows(sql: string, most: number): Promise<Rows>
  /** Any statement, to its end; it is cancelled when it takes longer than that. */
  run(sql: string, options: RunOptions): Promise<Outcome>
}

export interface RunOptions extends Pick<ExecuteOptions, 'authorize' | 'takenFor' | 'maxRows'> {
  /** By which the engine remembers it; nobody asks for that of most. */
  readonly queryId?: string | undefined
  readonly longestCell?: number
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

  /** What takes longer goes on: whoever asks again may find it there. */
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
          const rows: Looking['rows'] = async (sql, maxRows) => {
            const outcome = await run(session, sql, { takenFor: 'reads', authorize: 'all', maxRows })
            if (outcome.state === 'finished') return outcome.result.rows
            throw errorOf(outcome)
          }
          return await work({
            catalogs,
            catalogNamed: (name) => findCatalog(engine, name),
            hasCatalog: (name) => isFirst(name) || engine.attachments?.named(name) != null,
            requireReadable: async (name) => {
              const why = isFirst(name) ? null : await engine.attachments?.check(name)
              if (why) throw new AppError('QueryFailed', why)
            },
            descriptions: () => {
              if (!descriptions) throw noDescriptions()
              return descriptions
            },
            told: descriptions,
            sampleData: dialect.sampleData,
            sizes: engine.tableSizes,
            names: async (asked) => engine.names && soon(engine.names(asked)),
            rows,
            ask: (say) => rows(say(catalogs), 1),
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

/** The same for a person. */
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
