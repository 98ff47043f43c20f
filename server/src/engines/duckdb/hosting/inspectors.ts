import type { ReaderPlace } from '../../../results/reader.ts'
import type { EngineError } from '../../engine/outcome.ts'
import { EngineUnavailable } from '../../engine/engine.ts'
import type { FileReading, InspectOrder } from '../../engine/files.ts'
import type { FileLook } from '../inspector/inspector.ts'
import { type HostProcess, stopHost } from './host-process.ts'

/** Looks at files of one account, each in a process that is nobody's engine and ends with the look. */
export interface Inspector {
  /** Null: it was stopped. */
  inspect(order: InspectOrder, stop: AbortSignal): Promise<FileLook | null>
  /** Why an engine should not read the file; null when it may, or when it was stopped. */
  check(file: string, reading: FileReading, stop: AbortSignal): Promise<EngineError | null>
}

export interface InspectorsOptions {
  start(place: ReaderPlace): Promise<HostProcess>
  readonly stopDeadlineMs: number
}

/** On this machine at the same time; of one account, one. */
const MOST = 4

const lostWords = (why: string): EngineError => ({
  kind: 'data',
  message: `The file cannot be read: the process that read it ended (${why}). It may be damaged, or need too much memory. Save it again, or in another format, and upload that file.`,
})

export function createInspectors({ start, stopDeadlineMs }: InspectorsOptions): {
  of(place: ReaderPlace): Inspector
} {
  /** Of an account, the last one that was asked for. */
  const last = new Map<string, Promise<unknown>>()
  const waiting: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < MOST) {
      running++
      return
    }
    // Its place is handed over, and never free in between.
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  function leave(): void {
    const next = waiting.shift()
    if (next) next()
    else running--
  }

  async function underLock<T>(accountId: string, work: () => Promise<T>): Promise<T> {
    const before = last.get(accountId) ?? Promise.resolve()
    const done = before.then(enter).then(() => work().finally(leave))
    const ended: Promise<unknown> = done.catch(() => undefined)
    last.set(accountId, ended)
    void ended.then(() => last.get(accountId) === ended && last.delete(accountId))
    return done
  }

  /** Stopped, its process is ended at once. */
  async function withHost<T>(
    place: ReaderPlace,
    stop: AbortSignal,
    look: (host: HostProcess) => Promise<T>,
  ): Promise<T | { error: EngineError } | null> {
    if (stop.aborted) return null
    const host = await start(place)
    const end = () => host.kill('it was stopped')
    stop.addEventListener('abort', end)
    if (stop.aborted) end()
    try {
      return await look(host)
    } catch (error) {
      if (stop.aborted) return null
      if (error instanceof EngineUnavailable) return { error: lostWords(error.message) }
      throw error
    } finally {
      stop.removeEventListener('abort', end)
      await stopHost(host, stopDeadlineMs)
    }
  }

  return {
    of: (place) => ({
      inspect: (order, stop) =>
        underLock(place.accountId, () =>
          withHost(place, stop, (host) => host.ask({ kind: 'inspectFile', order }).answer),
        ),
      check: (file, reading, stop) =>
        underLock(place.accountId, async () => {
          const found = await withHost(place, stop, async (host) => ({
            error: await host.ask({ kind: 'checkFile', file, reading }).answer,
          }))
          return found?.error ?? null
        }),
    }),
  }
}
