import type { FileHandle } from 'node:fs/promises'
import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../../../kernel/app-error.ts'
import type { UploadFiles } from '../../upload-files.ts'
import { type Arrived, IDLE_MS, MOST_BYTES, receiveBody } from '../arriving-body.ts'
import { isTextual, type StreamOptions } from '../stream-options.ts'
import type { MostStaged, NewPart } from './part-store.ts'
import type { TransactionStore } from './transaction-store.ts'

export interface StagingParts {
  readonly store: Pick<TransactionStore, 'growPart'>
  readonly files: Pick<UploadFiles, 'openNew' | 'freeBytes' | 'keep'>
  readonly idleMs?: number | undefined
  readonly mostStaged: MostStaged
}

interface StagedBody {
  readonly bytes: AsyncIterable<Uint8Array>
  readonly options: StreamOptions
  readonly stop: AbortSignal
}

export const MOST_STAGED: MostStaged = {
  parts: 1_000,
  bytesOfUser: LIMITS.uploadBytesPerUser,
  bytesOfAccount: LIMITS.uploadBytesPerAccount,
}

/** Reserved for a part before it comes, and twice as much each time that it turns out to be larger. */
export const FIRST_BYTES = 1024 * 1024
const LARGEST_STEP = 256 * 1024 * 1024

const inGb = (bytes: number): string => `${Math.round(bytes / 1e8) / 10} GB`

export const noRoom = ({ bytesOfUser, bytesOfAccount }: MostStaged) =>
  new AppError(
    'QuotaExceeded',
    `There is no space for this part: transactions that are not over have at most ${inGb(bytesOfUser)} of one user and ${inGb(bytesOfAccount)} of one account. Commit some, or roll them back.`,
  )

/** Puts the body of a part on the disk, with room for it reserved ahead. */
export function createStaging({ store, files, idleMs = IDLE_MS, mostStaged }: StagingParts) {
  return async function write(part: NewPart, { bytes, options, stop }: StagedBody): Promise<Arrived> {
    const { accountId, file: uploadId } = part
    const { compression, isArrow, rowDelimiter } = options
    let reserved = part.sizeBytes
    let size = 0
    let file: FileHandle | null = null
    try {
      const opened = (file = await files.openNew({ accountId, uploadId }))
      const put = async (chunk: Uint8Array): Promise<void> => {
        size += chunk.byteLength
        while (size > reserved) {
          const more = { bytes: Math.min(reserved, LARGEST_STEP), most: mostStaged }
          if (!(await store.growPart(uploadId, part, more))) throw noRoom(mostStaged)
          reserved += more.bytes
        }
        await opened.writeFile(chunk)
      }
      const isText = isTextual(options)
      const body = { bytes, compression, isArrow, rowDelimiter, isText, stop, onReceived: () => undefined }
      const freeBytes = () => files.freeBytes(accountId)
      const arrived = await receiveBody(put, body, { idleMs, mostBytes: MOST_BYTES, freeBytes })
      await opened.datasync()
      await files.keep(accountId)
      return arrived
    } finally {
      await file?.close()
    }
  }
}
