import { randomUUID } from 'node:crypto'
import { LIMITS, MESSAGE_TYPES } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { Schema } from '../../../store/schema.ts'
import { SERVICE } from '../../audit/author.ts'
import { recordAudit } from '../../audit/record.ts'
import { writeMessages } from '../../message/service.ts'
import type { FileOutcome, LoadFile } from './file-loading.ts'
import { labelOf } from './pipe-definition.ts'
import type { PipeFileRow, PipeFileStore } from './pipe-file-store.ts'
import type { PipeRow, PipeStore } from './pipe-store.ts'
import { SourceTrouble } from './source-file.ts'
import type { Sources } from './sources.ts'

export interface PipeRunParts {
  readonly store: PipeStore
  readonly files: PipeFileStore
  readonly sources: Pick<Sources, 'find'>
  readonly loadFile: LoadFile
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly transaction: <T>(work: (trx: Transaction<Schema>) => Promise<T>) => Promise<T>
  /** Something of a pipe of this account is another by now. */
  readonly touch: (accountId: string) => void
  readonly clock: Clock
  readonly log: Log
}

const MOST_RUNNING = 32
const LEASE_MS = 15_000
const RENEW_MS = 5_000
const BATCH = 100
const LIST_MS = 10 * 60_000
const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 10 * 60_000

/** Some time around this one, so that many that began together do not come together for ever. */
const around = (ms: number): number => ms * (0.9 + Math.random() * 0.2)

const retryAfter = (attempts: number): number =>
  around(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 10)))

/** Does `work` with each, so many at a time; no other begins once one says that it is enough. */
async function eachOf<T>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<boolean>,
): Promise<boolean> {
  const waiting = [...all]
  let goesOn = true
  const worker = async (): Promise<void> => {
    for (let one = waiting.shift(); one !== undefined && goesOn; one = waiting.shift())
      if (!(await work(one))) goesOn = false
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return goesOn
}

/** Runs pipes that are due, each on one server at a time: lists what is there, and loads what was not loaded. */
export function createPipeRuns(parts: PipeRunParts) {
  const { store, files, sources, loadFile, actorOf, transaction, touch, clock, log } = parts
  const owner = randomUUID()
  const running = new Map<string, Promise<void>>()
  const closing = new AbortController()

  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms)
  const lease = (pipeId: string) => store.lease({ pipeId, owner }, clock.now(), inMs(LEASE_MS))

  /** Nothing of it can be loaded: it waits for somebody, and its owner is notified. */
  async function suspend(pipe: PipeRow, reason: string): Promise<void> {
    const { pipe_id: pipeId, account_id: accountId, name, user_id: userId } = pipe
    const isThere = (await actorOf(userId)) !== undefined
    await transaction(async (trx) => {
      if (!(await store.suspend(trx, pipeId, reason))) return
      const at = clock.now()
      if (isThere)
        await writeMessages(trx, { accountId, userIds: [userId], type: MESSAGE_TYPES.PipeSuspended, at })
      await recordAudit(trx, {
        accountId,
        at,
        by: SERVICE,
        action: 'pipe.suspend',
        object: { type: 'pipe', id: pipeId, name },
        before: { state: 'running' },
        after: { state: 'suspended', reason },
      })
    })
    touch(accountId)
  }

  /** What was not seen before is written down before anything of it is read. */
  async function list(pipe: PipeRow, actor: Actor, stop: AbortSignal): Promise<void> {
    const source = await sources.find(actor, pipe.source.path)
    const settleMs = source.isWhole ? 0 : Number(pipe.properties.settle_seconds) * 1_000
    const now = clock.now()
    const isSettled = (changedAt: Date) =>
      settleMs === 0 || Math.abs(now.getTime() - changedAt.getTime()) >= settleMs
    let added = 0
    for await (const page of source.pages(AbortSignal.any([stop, AbortSignal.timeout(LIST_MS)]))) {
      const found = page.filter(({ changedAt }) => isSettled(changedAt))
      added += await files.add(
        pipe.pipe_id,
        found.map((file) => ({ ...file, label: labelOf(pipe, file) })),
        now,
      )
      touch(pipe.account_id)
    }
    await store.looked(pipe.pipe_id, { listedAt: now })
    if (added > 0 && (await files.count(pipe.pipe_id)) > LIMITS.filesPerPipe)
      throw new AppError(
        'NoPermission',
        `This pipe has seen more than ${LIMITS.filesPerPipe} files, the maximum. Create a pipe over another folder.`,
      )
  }

  /** False: no other file is to be begun. */
  async function settle(pipe: PipeRow, file: PipeFileRow, outcome: FileOutcome): Promise<boolean> {
    const { file_id: fileId, attempts } = file
    const isLoaded = outcome.kind === 'ended' && outcome.end.state === 'loaded'
    // What a server that ends has stopped is found out by the next one.
    if (closing.signal.aborted && !isLoaded) return false
    if (outcome.kind === 'ended') {
      const { end } = outcome
      await files.end(fileId, end, clock.now())
      await store.looked(pipe.pipe_id, { error: end.state === 'failed' ? end.error : '' })
      const isStopped = end.state === 'failed' && pipe.properties.on_error === 'suspend'
      if (isStopped) await suspend(pipe, `The file ${file.path} was not loaded: ${end.error}`)
      return !isStopped
    }
    if (outcome.kind === 'changed') {
      await files.forget(fileId)
      return true
    }
    if (outcome.kind === 'unknown') {
      await files.later(fileId, { state: 'loading', retryAt: inMs(around(FIRST_RETRY_MS)), error: '' })
      return true
    }
    const error = outcome.kind === 'later' ? outcome.error : outcome.reason
    const retryAt = outcome.kind === 'later' ? inMs(retryAfter(attempts)) : clock.now()
    await files.later(fileId, { state: 'waiting', retryAt, error })
    if (outcome.kind === 'stuck') await suspend(pipe, outcome.reason)
    else if (error !== '') await store.looked(pipe.pipe_id, { error })
    return outcome.kind === 'later' && error === ''
  }

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
      if (closing.signal.aborted || running.size >= MOST_RUNNING) return
      const due = await store.due(clock.now(), MOST_RUNNING - running.size)
      for (const pipe of due) {
        if (running.has(pipe.pipe_id) || closing.signal.aborted) continue
        const ended = run(pipe)
          .catch((error: unknown) => log.error({ err: error, pipeId: pipe.pipe_id }, 'a pipe did not run'))
          .finally(() => running.delete(pipe.pipe_id))
        running.set(pipe.pipe_id, ended)
      }
    },

    /** Resolves when nothing runs. */
    async idle(): Promise<void> {
      await Promise.all(running.values())
    },

    /** What ends after this is not the files' doing. */
    closing: () => closing.abort(new AppError('Interrupted', 'The service is ending.')),
  }
}

export type PipeRuns = ReturnType<typeof createPipeRuns>
