import { randomUUID } from 'node:crypto'
import type { Actor } from '../../../../kernel/actor.ts'
import { AppError } from '../../../../kernel/app-error.ts'
import type { Clock } from '../../../../kernel/clock.ts'
import { diskFull, isDiskFull } from '../../../../kernel/disk-full.ts'
import type { TaskRow } from '../../task-store.ts'
import type { UploadFiles } from '../../upload-files.ts'
import { decompressor } from '../arriving-body.ts'
import type { createPlaces } from '../places.ts'
import type { StreamOptions } from '../stream-options.ts'
import type { createTargets, StreamTarget } from '../stream-target.ts'
import type { LiveTransactions } from './live-transactions.ts'
import type { MostStaged, NewPart } from './part-store.ts'
import { createStaging, FIRST_BYTES, MOST_STAGED, noRoom, type StagingParts } from './staged-file.ts'
import { labelOf, invalidState, type TransactionAnswer } from './transaction-answer.ts'
import type { TransactionStore } from './transaction-store.ts'

export interface PartArrivalParts extends Omit<StagingParts, 'store' | 'files' | 'mostStaged'> {
  readonly store: StagingParts['store'] & Pick<TransactionStore, 'addPart' | 'partArrived' | 'find'>
  readonly files: StagingParts['files'] & Pick<UploadFiles, 'remove'>
  readonly places: ReturnType<typeof createPlaces>
  readonly findTarget: ReturnType<typeof createTargets>
  readonly live: LiveTransactions
  readonly clock: Clock
  readonly mostStaged?: MostStaged | undefined
}

/** A part that was judged. Its body may come now. */
export interface BegunPart {
  take(bytes: AsyncIterable<Uint8Array>): Promise<TransactionAnswer>
}

interface AskedPart {
  readonly actor: Actor
  readonly target: StreamTarget
  readonly options: StreamOptions
}

const tooLong = () =>
  new AppError('QueryFailed', 'The transaction took longer than its timeout. It was rolled back.')

/** Takes the parts of transactions in. They are on the disk when they are answered. */
export function createPartArrivals(parts: PartArrivalParts) {
  const { store, files, places, findTarget, live, clock, mostStaged = MOST_STAGED } = parts
  const write = createStaging({ ...parts, mostStaged })

  async function add(part: NewPart): Promise<number> {
    const added = await store.addPart(part, mostStaged, clock.now())
    if (typeof added === 'number') return added
    if (added === 'bytes') throw noRoom(mostStaged)
    if (added === 'table')
      throw new AppError(
        'BadInput',
        `table: This transaction was begun for another table than ${part.table}. To load several tables, begin it with transaction_type: multi.`,
      )
    if (added === 'parts')
      throw new AppError(
        'QuotaExceeded',
        `The transaction has ${mostStaged.parts} parts, the maximum. Send larger ones.`,
      )
    const row = await store.find(part.taskId)
    throw row ? invalidState(row) : new AppError('NotFound', 'TXN_NOT_EXISTS')
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
