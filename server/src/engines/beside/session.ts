import { type Engine, EngineUnavailable } from '../engine/engine.ts'
import type { FileOrder } from '../engine/files.ts'
import type { DatabasePlace } from '../engine/names.ts'
import type { EngineError, FinishedOutcome, Outcome } from '../engine/outcome.ts'
import { type ExecuteOptions, PROGRESS_UNKNOWN, type QueryRun } from '../engine/run.ts'
import { type EngineSession, NOTHING_TO_LOSE, type SessionState } from '../engine/session.ts'
import type { Marked } from './marked-texts.ts'

/** Runs work in any cluster of the account that runs. Rejects with an `EngineUnavailable` where none does. */
export type InCluster = <T>(work: (cluster: Engine) => Promise<T>) => Promise<T>

/** What sessions in front of an engine need to know of the catalogs beside it. */
export interface BesideScene<Own> {
  /** The true name of one of them; null for all other names. */
  named(catalog: string): string | null
  /** Null for a text that is for the engine. */
  readIn(text: string): Marked<Own> | null
  isThere(place: DatabasePlace, user: string | undefined): Promise<boolean>
  perform(own: Own, options: ExecuteOptions, user: string | undefined): Promise<Outcome>
  /** Where statements for a cluster begin there. */
  placeInCluster(user: string | undefined): SessionState
  readonly inCluster: InCluster
  /** Why files are not loaded into their tables, as a sentence. */
  readonly notLoaded: string
}

export const DONE: FinishedOutcome = {
  state: 'finished',
  result: { columns: [], rows: [], truncated: false, rowsChanged: null },
  bytes: 0,
  kept: null,
  profile: null,
  peakMemoryBytes: null,
  session: NOTHING_TO_LOSE,
}

export const failed = (error: EngineError): Outcome => ({ state: 'failed', error, session: NOTHING_TO_LOSE })

export const noDatabase = ({ catalog, database }: DatabasePlace): Outcome =>
  failed({
    kind: 'missing',
    message: `There is no database ${catalog}.${database}.`,
    code: 'missing-database',
  })

function unavailable(error: unknown): Outcome {
  if (error instanceof EngineUnavailable) return failed({ kind: 'unavailable', message: error.message })
  throw error
}

/** The catalogs of the tables. */
function loadsInto(order: FileOrder | null | undefined): readonly string[] {
  if (order?.does === 'load') return [order.table.catalog]
  return order?.does === 'stream' ? order.parts.map(({ table }) => table.catalog) : []
}

/**
 * A session of an engine in front of which there are further catalogs. While it is in one of those, it has no place for a user's
 * own statements.
 */
export class BesideSession<Own> implements EngineSession {
  readonly #inner: EngineSession
  readonly #scene: BesideScene<Own>
  readonly #user: string | undefined
  /** The one that it is in; null: it is in the engine. */
  #catalog: string | null

  constructor(inner: EngineSession, scene: BesideScene<Own>, { catalog, user }: SessionState) {
    this.#inner = inner
    this.#scene = scene
    this.#user = user
    this.#catalog = scene.named(catalog)
  }

  get hasEnded(): boolean {
    return this.#inner.hasEnded ?? false
  }

  execute(sql: string, options: ExecuteOptions): QueryRun {
    const { named, notLoaded } = this.#scene
    const statement = this.#scene.readIn(sql)
    if (statement?.does === 'run') return this.#run(statement.texts, options)
    if (statement?.does === 'leave') return this.#leave(statement.sql, options)
    if (statement?.does === 'enter') return ended(this.#enter(statement.place))
    if (statement) return ended(this.#scene.perform(statement.own, options, this.#user))
    if (loadsInto(options.file).some((catalog) => named(catalog) !== null))
      return ended(Promise.resolve(failed({ kind: 'unavailable', message: notLoaded })))
    // Names without a catalog would be found in another one.
    if (this.#catalog !== null && options.takenFor !== null)
      return ended(Promise.resolve(notHere(this.#catalog)))
    return this.#inner.execute(sql, options)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #leave(sql: string, options: ExecuteOptions): QueryRun {
    const run = this.#inner.execute(sql, options)
    const outcome = run.outcome.then((ending) => {
      if (ending.state === 'finished') this.#catalog = null
      return ending
    })
    return { outcome, progress: () => run.progress(), cancel: () => run.cancel() }
  }

  async #enter(place: DatabasePlace): Promise<Outcome> {
    if (!(await this.#scene.isThere(place, this.#user))) return noDatabase(place)
    this.#catalog = place.catalog
    return DONE
  }

  #run(texts: readonly string[], options: ExecuteOptions): QueryRun {
    const { inCluster, placeInCluster } = this.#scene
    let run: QueryRun | null = null
    let isCancelled = false
    const outcome = inCluster(async (cluster): Promise<Outcome> => {
      const session = await cluster.openSession(placeInCluster(this.#user))
      try {
        let last: Outcome = DONE
        for (const text of texts) {
          run = session.execute(text, options)
          if (isCancelled) await run.cancel()
          last = await run.outcome
          if (last.state !== 'finished') break
        }
        return last
      } finally {
        await session.close()
      }
    }).catch(unavailable)
    return {
      outcome,
      progress: () => run?.progress() ?? PROGRESS_UNKNOWN,
      async cancel() {
        isCancelled = true
        await run?.cancel()
      },
    }
  }
}

const notHere = (catalog: string): Outcome =>
  failed({
    kind: 'permission',
    message: `This session is in the catalog ${catalog}, which only warehouses that are clusters can read. Choose one with SET WAREHOUSE, or leave the catalog with USE default_catalog.main.`,
  })

const ended = (outcome: Promise<Outcome>): QueryRun => {
  const told = outcome.catch(unavailable)
  return { outcome: told, progress: () => PROGRESS_UNKNOWN, cancel: async () => void (await told) }
}
