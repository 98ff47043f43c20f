import type { Capabilities } from '../engine/capabilities.ts'
import { type Engine, EngineUnavailable } from '../engine/engine.ts'
import { type EngineSession, NOTHING_TO_LOSE, type SessionState } from '../engine/session.ts'
import type { Outcome } from '../engine/outcome.ts'
import { PROGRESS_UNKNOWN, type QueryRun } from '../engine/run.ts'
import type { Gate } from './faults.ts'
import type { LocalAccount } from './provider.ts'

interface FaultyOptions {
  readonly kind: string
  readonly gate: Gate
  readonly without: readonly (keyof Capabilities)[]
}

/** An engine inside this process that can be held up and ended from outside. */
export class FaultyEngine implements Engine {
  readonly kind: string
  readonly lost: Promise<string>
  readonly dialect: Engine['dialect']
  readonly usesAre: Engine['usesAre']
  readonly effects: Engine['effects']
  readonly resize: Engine['resize']
  readonly catalogs: Engine['catalogs']
  readonly descriptions: Engine['descriptions']
  readonly explain: Engine['explain']
  readonly profiling: Engine['profiling']
  readonly describing: Engine['describing']
  readonly attachments: Engine['attachments']
  readonly files: Engine['files']
  readonly tableSizes: Engine['tableSizes']
  /** Statements that the gate has not let pass yet. */
  held = 0
  private readonly sessions = new Set<EngineSession>()
  private lose: ((reason: string) => void) | undefined
  /** Why it no longer runs. */
  private end: string | null = null
  private closed: Promise<void> | null = null

  constructor(
    private readonly account: LocalAccount,
    private readonly options: FaultyOptions,
  ) {
    this.lost = new Promise((resolve) => (this.lose = resolve))
    const { effects, resize } = account
    const can = <K extends keyof Capabilities>(name: K): Capabilities[K] | null =>
      options.without.includes(name) ? null : account[name]
    this.kind = options.kind
    this.dialect = account.dialect
    this.usesAre = account.usesAre
    this.effects = can('effects') && {
      tookEffect: async (queryIds) => this.running() && (effects?.tookEffect(queryIds) ?? new Map()),
      forget: async (before) => this.running() && effects?.forget(before),
    }
    this.resize = can('resize') && (async (size) => this.running() && resize?.(size))
    this.catalogs = can('catalogs')
    this.descriptions = can('descriptions')
    this.explain = can('explain')
    this.profiling = can('profiling')
    this.describing = can('describing')
    this.attachments = can('attachments')
    this.files = can('files')
    this.tableSizes = can('tableSizes')
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

  async settled(queryId: string): Promise<void> {
    await this.running().settled(queryId)
  }

  close(): Promise<void> {
    this.end ??= 'it was closed'
    return (this.closed ??= this.closeSessions())
  }

  private running(): LocalAccount {
    if (this.end !== null) throw new EngineUnavailable(`The engine has ended: ${this.end}`)
    return this.account
  }

  private async closeSessions(): Promise<void> {
    await Promise.all([...this.sessions].map((session) => session.close()))
  }

  private wrap(inner: EngineSession): EngineSession {
    const runs = new Set<QueryRun>()
    return {
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
      get hasEnded() {
        return inner.hasEnded ?? false
      },
    }
  }

  /** Begins when the gate lets it pass, unless it was stopped before. */
  private start(execute: () => QueryRun): { run: QueryRun; isOver: Promise<Outcome> } {
    let inner: QueryRun | null = null
    let isStopped = false
    let stop: (() => void) | undefined
    const stopped = new Promise<void>((resolve) => (stop = resolve))
    this.held++
    const isOver = Promise.race([stopped, this.options.gate.passed()]).then(
      (): Outcome | Promise<Outcome> => {
        this.held--
        if (isStopped) return { state: 'cancelled', session: NOTHING_TO_LOSE }
        inner = execute()
        return inner.outcome
      },
    )
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
