import { type ChildProcess, spawn } from 'node:child_process'
import { Duplex } from 'node:stream'
import type { RowBatch } from '../../engines/engine/sink.ts'
import type { Log } from '../../kernel/log.ts'
import { Link, LINK_PIPE } from './link/frames.ts'
import type { ToDoor, ToServer } from './link/messages.ts'

export type ServerEnd = Link<ToDoor, ToServer>

export interface ProcessLifeParts {
  /** The program, as a file. */
  readonly path: string
  /** It runs: it waits for its settings. */
  readonly onStart: (link: ServerEnd) => void
  readonly onMessage: (message: ToServer) => void
  readonly onFile: (client: number, bytes: Uint8Array) => void
  /** It has ended, with all of its connections. */
  readonly onEnd: (reason: string) => void
  readonly log: Log
}

/** Before it is started again, by how often it has ended soon after its start. */
const WAITS_MS = [0, 200, 500, 1_000, 2_000, 5_000, 10_000, 30_000]
/** One that ran for so long ended for a reason of its own. */
const STEADY_MS = 10_000
/** What it had to say to its clients is sent by then. */
const END_WITHIN_MS = 2_000
/** Of what it says on standard error, in characters. */
const MOST_COMPLAINT = 2_000

/** The process of the door: started, watched, started again when it ends, and never left behind. */
export class ProcessLife {
  readonly #parts: ProcessLifeParts
  #child: ChildProcess | null = null
  #link: ServerEnd | null = null
  #startedAt = 0
  #endedSoon = 0
  #isClosing = false
  #restart: NodeJS.Timeout | null = null

  constructor(parts: ProcessLifeParts) {
    this.#parts = parts
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): void {
    const child = spawn(process.execPath, [this.#parts.path], {
      cwd: '/',
      env: {},
      // The last one is `LINK_PIPE`.
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    })
    this.#child = child
    this.#startedAt = performance.now()
    let complaint = ''
    child.stderr?.on('data', (data: Buffer) => {
      complaint = (complaint + data.toString()).slice(-MOST_COMPLAINT)
    })
    child.on('error', (error) => (complaint ||= error.message))
    child.on('close', (code, signal) =>
      this.#ended(child, complaint.trim() || (signal ?? `exit code ${code}`)),
    )
    const pipe = child.stdio[LINK_PIPE]
    if (!(pipe instanceof Duplex)) return
    const link: ServerEnd = new Link(pipe, {
      message: (message) => this.#parts.onMessage(message),
      file: (client, bytes) => this.#parts.onFile(client, bytes),
      // Whatever it was: a process without a link is of no use.
      closed: () => child.kill('SIGKILL'),
    })
    this.#link = link
    this.#parts.onStart(link)
  }

  send(message: ToDoor): void {
    this.#link?.send(message)
  }

  /** Gives how many bytes it counts for in the window of its client. */
  sendRows(client: number, batch: RowBatch): number {
    return this.#link?.sendRows(client, batch) ?? 0
  }

  /** It cannot do its work as it is: it is started again, later each time. */
  abandon(): void {
    this.#child?.kill('SIGKILL')
  }

  /** Resolves when nothing of it is left. */
  async close(): Promise<void> {
    this.#isClosing = true
    if (this.#restart) clearTimeout(this.#restart)
    const child = this.#child
    if (!child) return
    this.send({ kind: 'stop' })
    const timer = setTimeout(() => child.kill('SIGKILL'), END_WITHIN_MS)
    await new Promise<void>((resolve) => child.once('close', () => resolve()))
    clearTimeout(timer)
  }

  #ended(child: ChildProcess, reason: string): void {
    if (this.#child !== child) return
    this.#child = null
    this.#link?.close()
    this.#link = null
    this.#parts.onEnd(reason)
    if (this.#isClosing) return
    this.#parts.log.warn({ reason }, 'the process of the MySQL endpoint ended and is started again')
    if (performance.now() - this.#startedAt > STEADY_MS) this.#endedSoon = 0
    const wait = WAITS_MS[Math.min(this.#endedSoon++, WAITS_MS.length - 1)]
    this.#restart = setTimeout(() => this.start(), wait)
    this.#restart.unref()
  }
}
