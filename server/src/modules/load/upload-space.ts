import { randomUUID } from 'node:crypto'
import { LIMITS } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { UPLOAD_MS } from './upload-row.ts'
import type { UploadParts } from './uploads.ts'

export interface NewFile {
  readonly name: string
  readonly sizeBytes: number
  readonly fingerprint: string
}

/** What an engine needs on the disk beside the file itself. */
const ROOM_BESIDE = 256 * 1024 * 1024

const inGb = (bytes: number): string => `${Math.round(bytes / 1e8) / 10} GB`

/** Reserves space for a whole file, before its first part arrives. */
export function createUploadSpace({
  store,
  files,
  clock,
  mostBytes = LIMITS.uploadBytesPerAccount,
}: Pick<UploadParts, 'store' | 'files' | 'clock' | 'mostBytes'>) {
  return async function reserve(actor: Actor, { name, sizeBytes, fingerprint }: NewFile, codeHash: Buffer) {
    const { accountId, userId } = actor
    if ((await files.freeBytes(accountId)) < sizeBytes + ROOM_BESIDE)
      throw new AppError(
        'DiskFull',
        'The disk of the service has no room for this file. Nothing was uploaded.',
      )
    const row = {
      upload_id: randomUUID(),
      account_id: accountId,
      user_id: userId,
      code_hash: codeHash,
      name,
      size_bytes: sizeBytes,
      part_bytes: LIMITS.uploadPartBytes,
      fingerprint,
      created_at: clock.now(),
      expires_at: new Date(clock.now().getTime() + UPLOAD_MS),
    }
    const account = { mostBytes, mostUploads: LIMITS.uploadsPerAccount, of: 'of this account' }
    const user = {
      mostBytes: Math.min(mostBytes, LIMITS.uploadBytesPerUser),
      mostUploads: LIMITS.uploadsPerUser,
      of: 'of one user',
    }
    const full = await store.reserve(row, { account, user })
    if (full === null) return row.upload_id
    const room = full === 'user' ? user : account
    throw new AppError(
      'QuotaExceeded',
      `There is no space for this file: the maximum of uploaded files ${room.of} is ${room.mostUploads}, and ${inGb(room.mostBytes)} in total. Load or remove some, or wait until they expire, ${LIMITS.uploadHours} hours after their upload.`,
    )
  }
}
