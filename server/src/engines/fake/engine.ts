import {
  type Effect,
  type Engine,
  type EngineSession,
  type EngineSize,
  EngineUnavailable,
  type KeptResults,
  NOTHING_TO_LOSE,
  type Outcome,
  PROGRESS_UNKNOWN,
  type QueryRun,
  type SessionState,
} from '../engine.ts'
import type { DuckDbAccount } from '../duckdb/account.ts'
import type { Gate } from './provider.ts'

export class FakeEngine implements Engine {
  readonly lost: Promise<string>
  private readonly sessions = new Set<EngineSession>()
  private lose: ((reason: string) => void) | undefined
  /** Why it no longer runs. */
  private end: string | null = null
  private closed: Promise<void> | null = null

  constructor(
    private readonly account: DuckDbAccount,
    private readonly gate: Gate,
  ) {
    this.lost = new Promise((resolve) => (this.lose = resolve))
  }

  get isRunning(): boolean {
    return this.end === null
  }

  crash(reason: string): void {
    if (this.end !== null) return
    this.end = reason
    this.lose?.(reason)
    this.closed = this.closeSessions()
  }

  async openSession(state: SessionState): Promise<EngineSession> {
    const inner = await this.running().openSession(state, (reason) => this.crash(reason))
    const session = this.wrap(inner)
    this.sessions.add(session)
    return session
  }

  get results(): KeptResults {
    return this.running().results
  }

  async tookEffect(queryIds: readonly string[]): Promise<ReadonlyMap<string, Effect>> {
    return this.running().tookEffect(queryIds)
  }

  async forgetEffects(before: Date): Promise<void> {
    await this.running().forgetEffects(before)
  }

  async resize(size: EngineSize): Promise<void> {
    await this.running().resize(size)
  }

  close(): Promise<void> {
    this.end ??= 'it was closed'
    return (this.closed ??= this.closeSessions())
  }

  private running(): DuckDbAccount {
    if (this.end !== null) throw new EngineUnavailable(`The engine has ended: ${this.end}`)
    return this.account
  }

  private async closeSessions(): Promise<void> {
    await Promise.all([...this.sessions].map((session) => session.close()))
  }

  private wrap(inner: EngineSession): EngineSession {
    const runs = new Set<QueryRun>()
    return {
      makeReady: (sql, options) => inner.makeReady(sql, options),
      execute: (sql, options) => {
        if (this.end !== null)
          return endedRun({ state: 'failed', error: this.gone(), session: NOTHING_TO_LOSE })
        const { run, isOver } = this.start(() => inner.execute(sql, options))
        runs.add(run)
        void isOver.finally(() => runs.delete(run))
        return run
      },
      close: async () => {
        await Promise.all([...runs].map((run) => run.cancel()))
        await inner.close()
      },
    }
  }

  /** Begins when the gate lets it pass, unless it was stopped before. */
  private start(execute: () => QueryRun): { run: QueryRun; isOver: Promise<Outcome> } {
    let inner: QueryRun | null = null
    let isStopped = false
    let stop: (() => void) | undefined
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    const isOver = Promise.race([stopped, this.gate.passed()]).then((): Outcome | Promise<Outcome> => {
      if (isStopped) return { state: 'cancelled', session: NOTHING_TO_LOSE }
      inner = execute()
      return inner.outcome
    })
    const lost = this.lost.then((reason): Outcome => ({ state: 'lost', reason }))
    const run: QueryRun = {
      outcome: Promise.race([lost, isOver]),
      progress: () => inner?.progress() ?? PROGRESS_UNKNOWN,
      async cancel() {
        isStopped = true
        stop?.()
        await inner?.cancel()
        await isOver
      },
    }
    return { run, isOver }
  }

  private gone() {
    return { kind: 'unavailable', message: `The engine has ended: ${this.end}` } as const
  }
}

function endedRun(outcome: Outcome): QueryRun {
  return {
    outcome: Promise.resolve(outcome),
    progress: () => PROGRESS_UNKNOWN,
    cancel: () => Promise.resolve(),
  }
}
