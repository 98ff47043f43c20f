import { randomUUID } from 'node:crypto'
import { AppError } from '../../../kernel/app-error.ts'
import type { Log } from '../../../kernel/log.ts'
import type { LoadFile } from './file-loading.ts'
import type { PipeFileStore } from './pipe-file-store.ts'
import type { PipeRow } from './pipe-row.ts'
import { around, createPipeSteps, FIRST_RETRY_MS } from './pipe-steps.ts'
import type { PipeStore } from './pipe-store.ts'
import { createPipeSuspending, type PipeSuspendingParts } from './pipe-suspending.ts'
import { SourceTrouble } from './source-file.ts'
import type { Sources } from './sources.ts'

export interface PipeRunParts extends PipeSuspendingParts {
  readonly store: PipeStore
  readonly files: PipeFileStore
  readonly sources: Pick<Sources, 'find'>
  readonly loadFile: LoadFile
  readonly log: Log
}

/** At once on a server, and of one account. */
const MOST_RUNNING = { inAll: 32, ofAccount: 8 }
const LEASE_MS = 15_000
const RENEW_MS = 5_000
const BATCH = 100

/** Does `work` with each, so many at a time; no other begins once one says that it is enough. */
async function eachOf<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<boolean>,
): Promise<boolean> {
  const waiting = [...all]
  let goesOn = true
  const errors: unknown[] = []
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined && goesOn; one = waiting.shift())
      try {
        goesOn = (await work(one)) && goesOn
      } catch (error) {
        goesOn = false
        errors.push(error)
      }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  if (errors.length > 0) throw errors[0]
  return goesOn
}

/** Runs pipes that are due, each on one server at a time: lists what is there, and loads what was not loaded. */
export function createPipeRuns(parts: PipeRunParts) {
  const { store, files, loadFile, actorOf, touch, clock, log } = parts
  const owner = randomUUID()
  const running = new Map<string, { readonly accountId: string; readonly ended: Promise<void> }>()
  const closing = new AbortController()

  const suspend = createPipeSuspending(parts)
  const { list, settle } = createPipeSteps({ ...parts, suspend, isClosing: () => closing.signal.aborted })

  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms)
  const lease = (pipeId: string) => store.lease({ pipeId, owner }, clock.now(), inMs(LEASE_MS))

  async function loadOpen(pipe: PipeRow, stop: AbortSignal): Promise<void> {
    const atOnce = Number(pipe.properties.files_at_once)
    for (;;) {
      if (stop.aborted || !(await lease(pipe.pipe_id))) return
      const open = await files.open(pipe.pipe_id, clock.now(), BATCH)
      if (open.length === 0) return
      const goesOn = await eachOf(open, atOnce, async (file) => {
        if (stop.aborted) return false
        if (!(await files.begin(file.file_id, clock.now()))) return true
        const next = await settle(pipe, file, await loadFile({ pipe, file, stop: closing.signal }))
        touch(pipe.account_id)
        return next
      })
      if (!goesOn) return
    }
  }

  /** Files that were there are loaded, and it is not to wait for others. */
  async function isOver({ pipe_id: pipeId, properties }: PipeRow): Promise<boolean> {
    if (properties.auto_ingest !== 'false') return false
    return (await files.count(pipeId, 'waiting')) + (await files.count(pipeId, 'loading')) === 0
  }

  async function look(pipe: PipeRow, stop: AbortSignal): Promise<void> {
    const { pipe_id: pipeId } = pipe
    const wait = () => inMs(around(Number(pipe.properties.poll_interval) * 1_000))
    try {
      const actor = await actorOf(pipe.user_id)
      if (!actor) {
        await suspend(pipe, `The user ${pipe.user_name}, who created this pipe, no longer exists.`)
        return
      }
      await list(pipe, actor, stop)
      await loadOpen(pipe, stop)
      if (!stop.aborted && (await isOver(pipe))) await store.finish(pipeId)
      await store.looked(pipeId, { nextPollAt: wait() })
    } catch (error) {
      if (stop.aborted) return
      const isForGood =
        error instanceof SourceTrouble ? error.reason === 'refused' : error instanceof AppError
      if (isForGood) return suspend(pipe, (error as AppError).message)
      if (!(error instanceof SourceTrouble)) log.error({ err: error, pipeId }, 'a pipe did not run')
      const message =
        error instanceof AppError ? error.message : 'Something went wrong in the service. It was logged.'
      await store.looked(pipeId, {
        error: message,
        nextPollAt: new Date(Math.max(wait().getTime(), inMs(FIRST_RETRY_MS).getTime())),
      })
    }
  }

  async function run(pipe: PipeRow): Promise<void> {
    const { pipe_id: pipeId } = pipe
    if (!(await lease(pipeId))) return
    const lost = new AbortController()
    const renewing = setInterval(() => {
      lease(pipeId).then(
        (isHeld) => !isHeld && lost.abort(),
        (error: unknown) => (
          log.warn({ err: error, pipeId }, 'the lease of a pipe was not renewed'),
          lost.abort()
        ),
      )
    }, RENEW_MS)
    try {
      await look(pipe, AbortSignal.any([closing.signal, lost.signal]))
    } finally {
      clearInterval(renewing)
      await store.release({ pipeId, owner })
      touch(pipe.account_id)
    }
  }

  return {
    /** Starts those that are due, and waits for none. */
    async runDue(): Promise<void> {
      if (closing.signal.aborted || running.size >= MOST_RUNNING.inAll) return
      const due = await store.due(clock.now(), MOST_RUNNING.inAll)
      for (const pipe of due) {
        const accountId = pipe.account_id
        const ofAccount = [...running.values()].filter((one) => one.accountId === accountId).length
        const isFull = running.size >= MOST_RUNNING.inAll || ofAccount >= MOST_RUNNING.ofAccount
        if (isFull || running.has(pipe.pipe_id) || closing.signal.aborted) continue
        const ended = run(pipe)
          .catch((error: unknown) => log.error({ err: error, pipeId: pipe.pipe_id }, 'a pipe did not run'))
          .finally(() => running.delete(pipe.pipe_id))
        running.set(pipe.pipe_id, { accountId, ended })
      }
    },

    /** Resolves when nothing runs. */
    async idle(): Promise<void> {
      await Promise.all([...running.values()].map(({ ended }) => ended))
    },

    /** What ends after this is not the files' doing. */
    closing: () => closing.abort(new AppError('Interrupted', 'The service is ending.')),
  }
}
