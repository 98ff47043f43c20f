import { randomUUID } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { LIMITS } from '@boathouse/contract'
import type { Actor } from '../../../../kernel/actor.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { diskFull, isDiskFull } from '../../../../kernel/disk-full.ts'
import type { TaskRow } from '../../task-store.ts'
import type { UploadFiles } from '../../upload-files.ts'
import { decompressor, IDLE_MS, MOST_BYTES, receiveBody } from '../arriving-body.ts'
import type { createPlaces } from '../places.ts'
import { isTextual, type StreamOptions } from '../stream-options.ts'
import type { createTargets, StreamTarget } from '../stream-target.ts'
import type { LiveTransactions } from './live-transactions.ts'
import type { MostStaged, NewPart } from './part-store.ts'
import { labelOf, invalidState, type TransactionAnswer } from './transaction-answer.ts'
import type { TransactionStore } from './transaction-store.ts'

export interface PartArrivalParts {
  readonly store: Pick<TransactionStore, 'addPart' | 'growPart' | 'partArrived' | 'find'>
  readonly files: Pick<UploadFiles, 'create' | 'open' | 'remove' | 'freeBytes' | 'keep'>
  readonly places: ReturnType<typeof createPlaces>
  readonly findTarget: ReturnType<typeof createTargets>
  readonly live: LiveTransactions
  readonly clock: Clock
  readonly idleMs?: number | undefined
  readonly mostStaged?: MostStaged | undefined
}

/** A part that was judged. Its body may come now. */
export interface BegunPart {
  take(bytes: AsyncIterable<Uint8Array>): Promise<TransactionAnswer>
}

export interface AskedPart {
  readonly actor: Actor
  readonly target: StreamTarget
  readonly options: StreamOptions
}

const MOST_STAGED: MostStaged = {
  parts: 1_000,
  bytesOfUser: LIMITS.uploadBytesPerUser,
  bytesOfAccount: LIMITS.uploadBytesPerAccount,
}

/** Reserved for a part before it comes, and twice as much each time that it turns out to be larger. */
const FIRST_BYTES = 1024 * 1024
const LARGEST_STEP = 256 * 1024 * 1024

const inGb = (bytes: number): string => `${Math.round(bytes / 1e8) / 10} GB`

const tooLong = () =>
  new AppError('QueryFailed', 'The transaction took longer than its timeout. It was rolled back.')

/** Takes the parts of transactions in. They are on the disk when they are answered. */
export function createPartArrivals(parts: PartArrivalParts) {
  const { store, files, places, findTarget, live, clock, mostStaged = MOST_STAGED } = parts

  const noRoom = () =>
    new AppError(
      'QuotaExceeded',
      `There is no space for this part: transactions that are not over have at most ${inGb(mostStaged.bytesOfUser)} of one user and ${inGb(mostStaged.bytesOfAccount)} of one account. Commit some, or roll them back.`,
    )

  async function add(part: NewPart): Promise<number> {
    const added = await store.addPart(part, mostStaged, clock.now())
    if (typeof added === 'number') return added
    if (added === 'bytes') throw noRoom()
    if (added === 'parts')
      throw new AppError(
        'QuotaExceeded',
        `The transaction has ${mostStaged.parts} parts, the maximum. Send larger ones.`,
      )
    const row = await store.find(part.taskId)
    throw row ? invalidState(row) : new AppError('NotFound', 'TXN_NOT_EXISTS')
  }

  /** To the disk, with room for it reserved ahead. */
  async function write(
    part: NewPart,
    { bytes, options, stop }: { bytes: AsyncIterable<Uint8Array>; options: StreamOptions; stop: AbortSignal },
  ) {
    const { accountId, file: uploadId } = part
    const { compression, rowDelimiter } = options
    let reserved = part.sizeBytes
    let size = 0
    let file: FileHandle | null = null
    try {
      await files.create({ accountId, uploadId })
      const opened = (file = await files.open({ accountId, uploadId }))
      const put = async (chunk: Uint8Array): Promise<void> => {
        size += chunk.byteLength
        while (size > reserved) {
          const more = { bytes: Math.min(reserved, LARGEST_STEP), most: mostStaged }
          if (!(await store.growPart(uploadId, part, more))) throw noRoom()
          reserved += more.bytes
        }
        await opened.writeFile(chunk)
      }
      const isText = isTextual(options)
      const body = { bytes, compression, rowDelimiter, isText, stop, onReceived: () => undefined }
      const bounds = {
        idleMs: parts.idleMs ?? IDLE_MS,
        mostBytes: MOST_BYTES,
        freeBytes: () => files.freeBytes(accountId),
      }
      const arrived = await receiveBody(put, body, bounds)
      await opened.datasync()
      await files.keep(accountId)
      return arrived
    } finally {
      await file?.close()
    }
  }

  return {
    /** Throws when it is refused: nothing has come of it then. */
    async begin(row: TaskRow, { actor, target, options }: AskedPart): Promise<BegunPart> {
      const beganAt = performance.now()
      decompressor(options.compression)
      const free = places.reserve(actor)
      try {
        const { table } = await findTarget(actor, target, row.warehouse_name)
        const part: NewPart = {
          file: `part-${randomUUID()}`,
          taskId: row.task_id,
          accountId: actor.accountId,
          userId: actor.userId,
          table: table.name,
          part: options.part,
          sizeBytes: FIRST_BYTES,
        }
        const stopping = new AbortController()
        const arrived = live.arriving(row.task_id, stopping)
        const left = Math.max(0, (row.expires_at?.getTime() ?? 0) - clock.now().getTime())
        const timer = setTimeout(() => stopping.abort(tooLong()), Math.min(left, 2 ** 31 - 1))
        const end = () => {
          clearTimeout(timer)
          arrived()
          free()
        }
        const place = await add(part).catch((error: unknown) => {
          end()
          throw error
        })
        const take = async (bytes: AsyncIterable<Uint8Array>): Promise<TransactionAnswer> => {
          const { received, written } = await write(part, { bytes, options, stop: stopping.signal })
          if (!(await store.partArrived(part, { bytes: written, received }, clock.now()))) {
            const now = await store.find(row.task_id)
            throw now ? invalidState(now) : new AppError('NotFound', 'TXN_NOT_EXISTS')
          }
          return { ...labelOf(row), place, bytes: received, ms: performance.now() - beganAt }
        }
        return {
          take: (bytes) =>
            take(bytes)
              .catch(async (error: unknown) => {
                await files.remove({ accountId: actor.accountId, uploadId: part.file })
                throw isDiskFull(error) ? diskFull(error) : error
              })
              .finally(end),
        }
      } catch (error) {
        free()
        throw error
      }
    },
  }
}

export type PartArrivals = ReturnType<typeof createPartArrivals>
