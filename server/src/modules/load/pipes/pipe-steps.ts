import { LIMITS } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { FileOutcome } from './file-loading.ts'
import { labelOf } from './pipe-definition.ts'
import type { PipeFileRow } from './pipe-file-list-store.ts'
import type { PipeFileStore } from './pipe-file-store.ts'
import type { PipeRow } from './pipe-row.ts'
import type { PipeStore } from './pipe-store.ts'
import type { SuspendPipe } from './pipe-suspending.ts'
import type { Sources } from './sources.ts'

export interface PipeStepParts {
  readonly store: Pick<PipeStore, 'looked'>
  readonly files: PipeFileStore
  readonly sources: Pick<Sources, 'find'>
  readonly suspend: SuspendPipe
  readonly touch: (accountId: string) => void
  readonly isClosing: () => boolean
  readonly clock: Clock
}

const LIST_MS = 10 * 60_000
export const FIRST_RETRY_MS = 5_000
const LAST_RETRY_MS = 10 * 60_000

/** Some time around this one, so that many that began together do not come together for ever. */
export const around = (ms: number): number => ms * (0.9 + Math.random() * 0.2)

const retryAfter = (attempts: number): number =>
  around(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** Math.min(attempts, 10)))

/** What a pipe does: it looks at what is there, and writes down what became of each file. */
export function createPipeSteps(parts: PipeStepParts) {
  const { store, files, sources, suspend, touch, isClosing, clock } = parts
  const inMs = (ms: number): Date => new Date(clock.now().getTime() + ms)

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
    // What could not be listed can be now; what failed is still there.
    const isMended = pipe.last_error !== '' && (await files.count(pipe.pipe_id, 'failed')) === 0
    await store.looked(pipe.pipe_id, { listedAt: now, ...(isMended && { error: '' }) })
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
    if (isClosing() && !isLoaded) return false
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

  return { list, settle }
}
