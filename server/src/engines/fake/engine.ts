import {
  type Engine,
  type EngineSession,
  type ExecuteOptions,
  EngineUnavailable,
  type Outcome,
  type QueryRun,
  type SessionState,
} from '../engine.ts'
import type { Sandbox } from '../duckdb/sandbox.ts'
import { openDuckDbSession } from '../duckdb/session.ts'
import type { Gate } from './provider.ts'

export class FakeEngine implements Engine {
  readonly lost: Promise<string>
  private readonly sessions = new Set<EngineSession>()
  private readonly runs = new Set<QueryRun>()
  private loose: (reason: string) => void = () => {}
  /** Why it no longer runs. */
  private end: string | null = null
  private closed: Promise<void> | null = null

  constructor(
    private readonly sandbox: Sandbox,
    private readonly gate: Gate,
  ) {
    this.lost = new Promise((resolve) => (this.loose = resolve))
  }

  get isRunning(): boolean {
    return this.end === null
  }

  crash(reason: string): void {
    if (this.end !== null) return
    this.end = reason
    this.loose(reason)
    this.closed = this.closeSessions()
  }

  async openSession(state: SessionState): Promise<EngineSession> {
    if (this.end !== null) throw new EngineUnavailable(`The engine has ended: ${this.end}`)
    const world = { ...this.sandbox, onFatal: (reason: string) => this.crash(reason) }
    const session = await openDuckDbSession(world, state)
    this.sessions.add(session)
    return {
      analyse: (sql) =>
        this.end === null ? session.analyse(sql) : Promise.resolve({ readable: false, error: this.gone() }),
      execute: (sql, options) => this.execute(session, sql, options),
      close: () => session.close(),
    }
  }

  close(): Promise<void> {
    this.end ??= 'it was closed'
    return (this.closed ??= this.closeSessions())
  }

  private async closeSessions(): Promise<void> {
    await Promise.all([...this.runs].map((run) => run.cancel()))
    await Promise.all([...this.sessions].map((session) => session.close()))
  }

  private execute(session: EngineSession, sql: string, options: ExecuteOptions): QueryRun {
    if (this.end !== null) return endedRun({ state: 'failed', error: this.gone() })
    let inner: QueryRun | null = null
    let cancel = () => {}
    const cancelled = new Promise<void>((resolve) => (cancel = resolve))
    const begun = Promise.race([cancelled.then(() => false), this.gate.passed().then(() => true)]).then(
      (passed): Outcome | Promise<Outcome> => {
        if (!passed || this.end !== null) return { state: 'cancelled' }
        inner = session.execute(sql, options)
        return inner.outcome
      },
    )
    const lost = this.lost.then((reason): Outcome => ({ state: 'lost', reason }))
    const run: QueryRun = {
      outcome: Promise.race([lost, begun]),
      progress: () => inner?.progress() ?? { percentage: null },
      async cancel() {
        cancel()
        await inner?.cancel()
        await begun
      },
    }
    this.runs.add(run)
    void begun.finally(() => this.runs.delete(run))
    return run
  }

  private gone() {
    return { kind: 'unavailable', message: `The engine has ended: ${this.end}` } as const
  }
}

function endedRun(outcome: Outcome): QueryRun {
  return {
    outcome: Promise.resolve(outcome),
    progress: () => ({ percentage: null }),
    cancel: () => Promise.resolve(),
  }
}
