import { type Engine, EngineUnavailable } from '../engine/engine.ts'
import type { FileOrder } from '../engine/files.ts'
import type { AccountLake } from '../engine/lake.ts'
import type { ObjectName } from '../engine/objects.ts'
import type { EngineError, FinishedOutcome, Outcome } from '../engine/outcome.ts'
import { type ExecuteOptions, PROGRESS_UNKNOWN, type QueryRun } from '../engine/run.ts'
import { type EngineSession, NOTHING_TO_LOSE } from '../engine/session.ts'
import { lakeLists } from './lists.ts'
import { type LakeStatement, lakeStatementIn } from './statements.ts'

/** Runs work in any cluster of the account that runs. Rejects with an `EngineUnavailable` where none does. */
type InCluster = <T>(work: (cluster: Engine) => Promise<T>) => Promise<T>

export interface LakeScene {
  readonly catalog: string
  readonly lake: AccountLake
  readonly inCluster: InCluster
}

const DONE: FinishedOutcome = {
  state: 'finished',
  result: { columns: [], rows: [], truncated: false, rowsChanged: null },
  bytes: 0,
  kept: null,
  profile: null,
  peakMemoryBytes: null,
  session: NOTHING_TO_LOSE,
}

const failed = (error: EngineError): Outcome => ({ state: 'failed', error, session: NOTHING_TO_LOSE })

const NOT_LOADED = failed({
  kind: 'unavailable',
  message:
    'Files and streams are not loaded into tables of a lake. Insert the rows with INSERT in a warehouse that is a cluster, or load them into a table of the embedded engine.',
})

/** The catalogs of the tables. */
function loadsInto(order: FileOrder | null | undefined): readonly string[] {
  if (order?.does === 'load') return [order.table.catalog]
  return order?.does === 'stream' ? order.parts.map(({ table }) => table.catalog) : []
}

/** A session of the engine in front of a lake. While it is in the lake, it has no place for a user's own statements. */
export class LakeSession implements EngineSession {
  readonly #inner: EngineSession
  readonly #scene: LakeScene
  #isInLake: boolean

  constructor(inner: EngineSession, scene: LakeScene, isInLake: boolean) {
    this.#inner = inner
    this.#scene = scene
    this.#isInLake = isInLake
  }

  get hasEnded(): boolean {
    return this.#inner.hasEnded ?? false
  }

  execute(sql: string, options: ExecuteOptions): QueryRun {
    const statement = lakeStatementIn(sql)
    if (statement?.does === 'run') return this.#run(statement.texts, options)
    if (statement?.does === 'leave') return this.#leave(statement.sql, options)
    if (statement) return ended(this.#change(statement, options.queryId))
    if (loadsInto(options.file).includes(this.#scene.catalog)) return ended(Promise.resolve(NOT_LOADED))
    // Names without a catalog would be found in another one.
    if (this.#isInLake && options.takenFor !== null) return ended(Promise.resolve(this.#notHere()))
    return this.#inner.execute(sql, options)
  }

  close(): Promise<void> {
    return this.#inner.close()
  }

  #leave(sql: string, options: ExecuteOptions): QueryRun {
    const run = this.#inner.execute(sql, options)
    const outcome = run.outcome.then((ending) => {
      if (ending.state === 'finished') this.#isInLake = false
      return ending
    })
    return { outcome, progress: () => run.progress(), cancel: () => run.cancel() }
  }

  #notHere(): Outcome {
    const { catalog } = this.#scene
    const message = `This session is in the catalog ${catalog}, which only warehouses that are clusters can read. Choose one with SET WAREHOUSE, or leave the catalog with USE default_catalog.main.`
    return failed({ kind: 'permission', message })
  }

  async #change(statement: Extract<LakeStatement, { database: string }>, queryId: string): Promise<Outcome> {
    const { catalog, lake } = this.#scene
    const { database } = statement
    const object: ObjectName = { type: 'database', catalog, database, name: null }
    const missing = failed({
      kind: 'missing',
      message: `There is no database ${catalog}.${database}.`,
      code: 'missing-database',
    })
    switch (statement.does) {
      case 'enter': {
        const isThere = (await lakeLists(lake).databaseNamed({ catalog, database })) !== null
        if (!isThere) return missing
        this.#isInLake = true
        return DONE
      }
      case 'create': {
        if (await lake.createDatabase(database, queryId))
          return { ...DONE, changed: [{ change: 'created', object }] }
        if (statement.isLenient) return DONE
        return failed({ kind: 'data', message: `The database ${catalog}.${database} already exists.` })
      }
      case 'drop': {
        const done = await lake.dropDatabase(database, queryId)
        if (done === 'dropped') return { ...DONE, changed: [{ change: 'dropped', object }] }
        if (done === 'missing') return statement.isLenient ? DONE : missing
        const message = `The database ${catalog}.${database} has tables or views. Drop them in a warehouse that is a cluster, then the database.`
        return failed({ kind: 'data', message })
      }
    }
  }

  #run(texts: readonly string[], options: ExecuteOptions): QueryRun {
    const { catalog, inCluster } = this.#scene
    let run: QueryRun | null = null
    let isCancelled = false
    const outcome = inCluster(async (cluster): Promise<Outcome> => {
      const session = await cluster.openSession({ catalog, database: null, timeZone: 'UTC', variables: {} })
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
    }).catch((error: unknown) => {
      if (error instanceof EngineUnavailable) return failed({ kind: 'unavailable', message: error.message })
      throw error
    })
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

const ended = (outcome: Promise<Outcome>): QueryRun => ({
  outcome,
  progress: () => PROGRESS_UNKNOWN,
  cancel: async () => void (await outcome),
})
