import type { Ask } from '../host/protocol.ts'

type Kind = Ask['kind']

export interface Patience {
  /** A host that says nothing for so long while it is asked something is asked whether it lives. */
  readonly askAfterMs: number
  /** One that says nothing for so long after that does not. */
  readonly endAfterMs: number
}

const PATIENCE: Patience = { askAfterMs: 5_000, endAfterMs: 10_000 }

/**
 * How long an answer may take of a host that lives, in milliseconds. Threads and locks may be taken by statements, so
 * these are long. Not in here: what takes as long as statements do (`execute`, `exportResult`, `inspectFile`, `checkFile`, and `resize`, which
 * waits for busy threads), and what has a deadline where it is asked (`start`, `startReader`, `startInspector`, `close`, `stop`).
 */
const ANSWER_WITHIN_MS: Partial<Record<Kind, number>> = {
  open: 60_000,
  cancel: 60_000,
  verdict: 60_000,
  tableSizes: 60_000,
  names: 300_000,
  tookEffect: 60_000,
  forgetEffects: 300_000,
  attach: 300_000,
  removeCatalog: 300_000,
  renameCatalog: 300_000,
  checkCatalog: 60_000,
  tryCatalog: 300_000,
  readResult: 300_000,
  arrangeResult: 300_000,
  readCell: 300_000,
  columnStatistics: 300_000,
  pivotResult: 300_000,
  compareResults: 300_000,
  stopWork: 60_000,
  exportProgress: 60_000,
  stopExport: 60_000,
  settled: 300_000,
}

/** These keep a host from everything else: it loads its program, or DuckDB writes its log back. */
const SILENT_WORK: readonly Kind[] = ['start', 'startReader', 'startInspector', 'stop']

export interface Question {
  readonly kind: Kind
  /** Looks since it was asked. */
  looks: number
}

export interface WatchedHost {
  /** What has no answer yet. */
  questions(): Iterable<Question>
  ask(): void
  end(reason: string): void
}

// Looks, not time, are counted: when this very process was held up, so was its reading of what the host said.
const LOOKS = 5

/** Ends a host process that hangs. Costs nothing for each question. */
export class SilenceWatch {
  private timer: NodeJS.Timeout | null = null
  private silentLooks = 0
  private readonly everyMs: number

  constructor(
    private readonly host: WatchedHost,
    private readonly patience: Patience = PATIENCE,
  ) {
    this.everyMs = Math.max(1, patience.askAfterMs / LOOKS)
  }

  /** Something is asked. */
  begin(): void {
    if (this.timer) return
    this.silentLooks = 0
    this.timer = setInterval(() => this.look(), this.everyMs).unref()
  }

  /** The host said something. */
  heard(): void {
    this.silentLooks = 0
  }

  stop(): void {
    if (this.timer) clearInterval(this.timer)
    this.timer = null
  }

  private look(): void {
    const questions = [...this.host.questions()]
    if (questions.length === 0) return this.stop()
    for (const question of questions) {
      const withinMs = ANSWER_WITHIN_MS[question.kind] ?? Number.POSITIVE_INFINITY
      if (++question.looks * this.everyMs > withinMs)
        return this.host.end(`it did not answer in ${withinMs / 1000} s (${question.kind})`)
    }
    if (questions.some(({ kind }) => SILENT_WORK.includes(kind))) return
    const { askAfterMs, endAfterMs } = this.patience
    const mostMs = askAfterMs + endAfterMs
    this.silentLooks++
    if (this.silentLooks === LOOKS) this.host.ask()
    if (this.silentLooks * this.everyMs >= mostMs)
      this.host.end(`it gave no sign of life for ${mostMs / 1000} s`)
  }
}
