import { type ChildProcess, fork } from 'node:child_process'
import type { EngineError } from '../../engine/outcome.ts'
import { EngineUnavailable } from '../../engine/engine.ts'
import type { Progress } from '../../engine/run.ts'
import { SessionRefused } from '../../engine/session.ts'
import { Duplex, PassThrough } from 'node:stream'
import { ResultRefused } from '../../../results/reader.ts'
import type { ListedName, ObjectUse } from '../../engine/objects.ts'
import type { Confinement } from './confinement.ts'
import { Outbox } from '../host/outbox.ts'
import { OUTSIDE_PIPE } from '../host/outside-pipe.ts'
import { ROWS_PIPE } from '../host/row-frames.ts'
import type { Answers, Ask, Report, Request } from '../host/protocol.ts'
import { SentOnce } from '../host/sent-once.ts'
import { ReceivedRows } from './received-rows.ts'
import { type Patience, type Question, SilenceWatch } from './silence.ts'

export interface HostStart {
  readonly hostPath: string
  readonly confinement: Confinement
  readonly patience?: Patience | undefined
}

interface Waiting extends Question {
  resolve(answer: Answers[keyof Answers]): void
  reject(error: Error): void
  readonly heard?: Heard
}

/** What a host says of a question before it answers. */
export interface Heard {
  progress(progress: Progress): void
  uses(uses: readonly ObjectUse[]): void
}

// Each running statement keeps a thread of Node's pool. DuckDB's own threads are counted apart.
const POOL_THREADS = 64
// DuckDB's allocator else keeps the addresses of freed memory, which counts as memory for the system.
const GIVES_BACK = 'retain:false'
// Questions without an answer yet; more than this means that somebody asks without listening.
const MOST_WAITING = 1024
// Of all lists of names together that a host keeps.
const MOST_NAMES_KEPT = 500_000
// Of what a host says on standard error before it is ready, in characters. Later nothing of it is repeated.
const MOST_COMPLAINT = 2000
const OUT_OF_MEMORY = /out of memory|bad_alloc|allocate memory|\bOOM\b/i
const WITHOUT_MEMORY = 'it had no memory left: work with less at a time, or with a larger warehouse'

/** A host process and the questions put to it. */
export class HostProcess {
  /** Why it ended, once it really has. */
  readonly ended: Promise<string>
  /** Called with what the operator should know. */
  onTrouble: ((message: string) => void) | null = null
  /** Names that somebody may see, as the process has them. */
  readonly seen = new SentOnce<ReadonlySet<string>>(({ size }) => size, MOST_NAMES_KEPT)
  readonly listed = new SentOnce<readonly ListedName[]>(({ length }) => length, MOST_NAMES_KEPT)
  /** What it sends to the sinks of its statements. */
  readonly rows: ReceivedRows
  private readonly child: ChildProcess
  private readonly waiting = new Map<number, Waiting>()
  private readonly silence: SilenceWatch
  // A failure to send means that the process has ended, which its own event reports.
  private readonly outbox = new Outbox<Request>((requests) => this.child.send(requests, () => undefined))
  private lastId = 0
  private isReady = false
  private lastWord = ''
  private complaint = ''
  private end: string | null = null

  constructor({ hostPath, confinement, patience }: HostStart) {
    this.silence = new SilenceWatch(
      {
        questions: () => this.waiting.values(),
        // The end of the process is reported to everyone who waits for it.
        ask: () => void this.ask({ kind: 'ping' }).answer.catch(() => undefined),
        end: (reason) => this.kill(reason),
      },
      patience,
    )
    // Rows pass through faster than buffers would be collected automatically, since their memory is not counted.
    const command = [...confinement.flat(), process.execPath, '--expose-gc']
    const [execPath = '', ...execArgv] = command
    this.child = fork(hostPath, [], {
      cwd: '/',
      env: { UV_THREADPOOL_SIZE: String(POOL_THREADS), DUCKDB_JE_MALLOC_CONF: GIVES_BACK },
      execPath,
      execArgv,
      serialization: 'advanced',
      // The last two are `OUTSIDE_PIPE` and `ROWS_PIPE`.
      stdio: ['ignore', 'ignore', 'pipe', 'ipc', 'pipe', 'pipe'],
    })
    this.rows = new ReceivedRows(this.pipe(ROWS_PIPE), () => this.kill('it sent rows that nobody asked for'))
    // The pipe ends with the process, whose end is reported below.
    this.outsidePipe.on('error', () => undefined)
    this.child.on('message', (reports) => {
      if (!Array.isArray(reports)) return this.kill('it sent what is no message')
      for (const report of reports as readonly Report[]) this.receive(report)
    })
    this.child.stderr?.on('data', (data: Buffer) => this.hear(data))
    this.ended = new Promise((resolve) => {
      this.child.on('error', (error) => resolve(this.die(`it could not be started: ${error.message}`)))
      // Not at its exit: by then its last words may not have been read.
      this.child.on('close', (code, signal) => resolve(this.die(signal ?? `exit code ${code}`)))
    })
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** This process's end of the pipe for files that lie outside. */
  get outsidePipe(): Duplex {
    return this.pipe(OUTSIDE_PIPE)
  }

  private pipe(number: number): Duplex {
    const pipe = this.child.stdio[number]
    return pipe instanceof Duplex ? pipe : new PassThrough()
  }

  get hasEnded(): boolean {
    return this.end !== null
  }

  ask<A extends Ask>(ask: A, heard?: Heard): { id: number; answer: Promise<Answers[A['kind']]> } {
    const id = ++this.lastId
    const answer = new Promise<Answers[keyof Answers]>((resolve, reject) => {
      if (this.end !== null) return reject(new EngineUnavailable(`The engine has ended: ${this.end}`))
      if (isWork(ask) && this.waiting.size >= MOST_WAITING) return reject(new TooManyWaiting())
      this.waiting.set(id, { kind: ask.kind, looks: 0, resolve, reject, ...(heard && { heard }) })
      this.silence.begin()
      const request: Request = { id, ...ask }
      this.outbox.add(request)
    })
    return { id, answer: answer as Promise<Answers[A['kind']]> }
  }

  kill(reason: string): void {
    this.lastWord ||= reason
    this.child.kill('SIGKILL')
  }

  private receive(report: Report): void {
    this.silence.heard()
    if (report.kind === 'trouble') return this.onTrouble?.(report.message)
    if (report.kind === 'dying') {
      this.lastWord ||= report.reason
      return
    }
    const waiting = this.waiting.get(report.id)
    if (report.kind === 'progress') return waiting?.heard?.progress(report.progress)
    if (report.kind === 'uses') return waiting?.heard?.uses(report.uses)
    this.waiting.delete(report.id)
    this.complaint = ''
    this.isReady ||= waiting?.kind.startsWith('start') ?? false
    if (report.kind === 'answer') return waiting?.resolve(report.answer)
    waiting?.reject(refusalError(waiting.kind, report.message, report.error))
  }

  private hear(data: Buffer): void {
    if (!this.isReady) this.complaint = (this.complaint + data.toString()).slice(0, MOST_COMPLAINT)
    else if (OUT_OF_MEMORY.test(data.toString())) this.complaint = WITHOUT_MEMORY
  }

  private die(how: string): string {
    this.end ??=
      this.lastWord || [`its process ended (${how})`, this.complaint.trim()].filter(Boolean).join(': ')
    this.silence.stop()
    const waiting = [...this.waiting.values()]
    this.waiting.clear()
    for (const one of waiting) one.reject(new HostLost(this.end))
    return this.end
  }
}

/** Ends it in good order, or else regardless; resolves when its files are free. */
export async function stopHost(host: HostProcess, deadlineMs: number): Promise<void> {
  const deadline = setTimeout(() => host.kill('it did not stop in time'), deadlineMs)
  try {
    await host.ask({ kind: 'stop' }).answer
  } catch (error) {
    // It ended before it could be asked, or while it was: either way its files are free below.
    if (!(error instanceof EngineUnavailable)) throw error
  } finally {
    clearTimeout(deadline)
    host.kill('it was closed')
    await host.ended
  }
}

/** Ends of things are always heard. */
function isWork({ kind }: Ask): boolean {
  return kind === 'open' || kind === 'execute'
}

/** The process ended between a question and its answer. */
export class HostLost extends EngineUnavailable {}

export class TooManyWaiting extends Error {
  override readonly name = 'TooManyWaiting'

  constructor() {
    super('Too many statements are queued for this engine. Try again when some have ended.')
  }
}

function refusalError(kind: Ask['kind'], message: string, error: EngineError | undefined): Error {
  if (!error) return new EngineUnavailable(message)
  return kind === 'open' ? new SessionRefused(error) : new ResultRefused(error)
}
