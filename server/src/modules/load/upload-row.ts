import { createHash } from 'node:crypto'
import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'
import type { UploadRow } from './upload-store.ts'

export const HOUR_MS = 3_600_000

export const UPLOAD_MS = LIMITS.uploadHours * HOUR_MS

export const hashCode = (code: string): Buffer => createHash('sha256').update(code).digest()

export const noUpload = () =>
  new AppError('NotFound', 'There is no such file, or it has expired. Upload it again.')

export const partsIn = ({ size_bytes, part_bytes }: UploadRow): number => Math.ceil(size_bytes / part_bytes)

export const incomplete = () =>
  new AppError('Conflict', 'The upload of this file is incomplete. Send the missing parts.')

/** From the beginning on, without a gap; `received` are the parts in their order. */
export function arrivedBytes({ size_bytes, part_bytes }: UploadRow, received: readonly number[]): number {
  const gap = received.findIndex((part, at) => part !== at)
  return Math.min(size_bytes, (gap < 0 ? received.length : gap) * part_bytes)
}

export const placeOf = ({ account_id, upload_id }: Pick<UploadRow, 'account_id' | 'upload_id'>) => ({
  accountId: account_id,
  uploadId: upload_id,
})
