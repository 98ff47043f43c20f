import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { type Inspection, LIMITS, type Upload, whyNotLoaded } from '@boathouse/contract'
import { type Actor, requireOpenAccount } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import { diskFull, isDiskFull } from '../../kernel/disk-full.ts'
import type { Log } from '../../kernel/log.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import { presentInspection, readInspection } from './inspection.ts'
import { createPartLocks } from './part-locks.ts'
import type { TaskStore } from './task-store.ts'
import type { UploadFiles } from './upload-files.ts'
import type { UploadRow, UploadStore } from './upload-store.ts'

export interface UploadParts {
  readonly store: UploadStore
  readonly tasks: Pick<TaskStore, 'failWithoutFile'>
  readonly files: UploadFiles
  /** Who somebody is and what they may do; undefined when they are gone. */
  readonly actorOf: (userId: string) => Promise<Actor | undefined>
  readonly requireLetIn: RequireLetIn
  readonly accountIds: () => Promise<string[]>
  readonly clock: Clock
  readonly log: Log
  /** Of all files of an account together. */
  readonly mostBytes?: number
}

export interface NewFile {
  readonly name: string
  readonly sizeBytes: number
  readonly fingerprint: string
}

/** A part on its way. */
export interface ArrivingPart {
  readonly part: number
  /** As it is announced; null when it is not. */
  readonly bytes: number | null
  readonly body: AsyncIterable<Buffer> & { destroy(): unknown }
  readonly clientIp: string
}

const HOUR_MS = 3_600_000
const UPLOAD_MS = LIMITS.uploadHours * HOUR_MS
export const WAITING_MS = LIMITS.loadDays * 24 * HOUR_MS
/** Looked at in one go. */
const MOST_EXPIRED = 200
/** What an engine needs on the disk beside the file itself. */
const ROOM_BESIDE = 256 * 1024 * 1024

const FILE_EXPIRED = 'The file has expired, because it was not loaded in time. Upload it again.'

const hashCode = (code: string): Buffer => createHash('sha256').update(code).digest()
const inGb = (bytes: number): string => `${Math.round(bytes / 1e8) / 10} GB`

const noUpload = () => new AppError('NotFound', 'There is no such file, or it has expired. Upload it again.')

/** What must have arrived as this part; null when the file has no such part. */
function bytesOfPart({ size_bytes, part_bytes }: UploadRow, part: number): number | null {
  const offset = part * part_bytes
  return offset < size_bytes ? Math.min(part_bytes, size_bytes - offset) : null
}

export const partsIn = ({ size_bytes, part_bytes }: UploadRow): number => Math.ceil(size_bytes / part_bytes)

const placeOf = ({ account_id, upload_id }: Pick<UploadRow, 'account_id' | 'upload_id'>) => ({
  accountId: account_id,
  uploadId: upload_id,
})

/** Files on their way in: room is reserved for the whole before the first part, and each part counts once it is on disk. */
export function createUploads(parts: UploadParts) {
  const { store, tasks, files, actorOf, requireLetIn, accountIds, clock, log } = parts
  const { mostBytes = LIMITS.uploadBytesPerAccount } = parts
  const locks = createPartLocks()
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms)

  async function present(row: UploadRow): Promise<Upload> {
    const received = await store.partsOf(row.upload_id)
    const inspection: Inspection | null = presentInspection(readInspection(row))
    return {
      uploadId: row.upload_id,
      name: row.name,
      sizeBytes: row.size_bytes,
      partBytes: row.part_bytes,
      received,
      complete: received.length === partsIn(row),
      expiresAt: row.expires_at.toISOString(),
      inspection,
    }
  }

  async function own(actor: Actor, uploadId: string): Promise<UploadRow> {
    const row = await store.find(actor.accountId, uploadId)
    if (!row || row.user_id !== actor.userId || row.expires_at <= clock.now()) throw noUpload()
    return row
  }

  async function reserve(actor: Actor, { name, sizeBytes, fingerprint }: NewFile, codeHash: Buffer) {
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
      expires_at: later(UPLOAD_MS),
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

  /** A file without its row is gone from every list, and nobody can reach it: so it goes last. */
  async function remove(row: Pick<UploadRow, 'account_id' | 'upload_id'>): Promise<void> {
    await store.remove(row.upload_id)
    await files.remove(placeOf(row))
  }

  async function byCode(code: string, clientIp: string): Promise<UploadRow> {
    const row = await store.findByCode(hashCode(code))
    if (!row || row.expires_at <= clock.now()) throw noUpload()
    const owner = await actorOf(row.user_id)
    if (!owner) throw noUpload()
    await requireLetIn({ ...owner, clientIp })
    requireOpenAccount(owner.accountState)
    return row
  }

  async function write(row: UploadRow, { part, bytes, body }: ArrivingPart): Promise<void> {
    const expected = bytesOfPart(row, part)
    if (expected === null)
      throw new AppError(
        'BadInput',
        `The file has ${partsIn(row)} parts, starting at 0. There is no part ${part}.`,
      )
    if (bytes !== null && bytes !== expected)
      throw new AppError(
        'BadInput',
        `Part ${part} of this file has ${expected} bytes; ${bytes} were announced.`,
      )
    const offset = part * row.part_bytes
    const written = await files
      .write(placeOf(row), { offset, most: expected, from: body })
      .catch((error: unknown) => {
        throw isDiskFull(error) ? diskFull(error) : error
      })
    if (written !== expected)
      throw new AppError(
        'BadInput',
        `Part ${part} of this file has ${expected} bytes; ${written} arrived. Send it again.`,
      )
    await store.addPart(row.upload_id, part, clock.now())
    await store.renew(row.upload_id, { expires_at: later(UPLOAD_MS) })
  }

  async function sweep(): Promise<void> {
    for (const accountId of await accountIds()) {
      const there = await files.list(accountId)
      if (there.length === 0) continue
      const known = await store.idsOf(accountId)
      const lost = there.filter((uploadId) => !known.has(uploadId))
      for (const uploadId of lost) await files.remove({ accountId, uploadId })
      if (lost.length > 0)
        log.info({ accountId, count: lost.length }, 'uploads without a load task were removed')
    }
  }

  return {
    own,
    present,
    remove,

    /** A task needs it until then. */
    keepUntil: (uploadId: string, ms: number) => store.renew(uploadId, { expires_at: later(ms) }),

    /** Goes on with the same file where it was cut off; the address from before is no longer good. */
    async begin(actor: Actor, file: NewFile): Promise<Upload & { url: string }> {
      const refusal = whyNotLoaded(file.name)
      if (refusal) throw new AppError('BadInput', refusal)
      const code = randomBytes(24).toString('base64url')
      const codeHash = hashCode(code)
      const same = await store.findSame(
        {
          user_id: actor.userId,
          name: file.name,
          fingerprint: file.fingerprint,
          size_bytes: file.sizeBytes,
        },
        clock.now(),
      )
      const uploadId = same?.upload_id ?? (await reserve(actor, file, codeHash))
      if (same) await store.renew(uploadId, { code_hash: codeHash, expires_at: later(UPLOAD_MS) })
      await files.create({ accountId: actor.accountId, uploadId })
      return { ...(await present(await own(actor, uploadId))), url: `/upload/${code}` }
    },

    async describe(actor: Actor, uploadId: string): Promise<Upload> {
      return present(await own(actor, uploadId))
    },

    /** A part in any order. One that is there already is left as it is; of two at once the newer is taken. */
    async receive(code: string, arriving: ArrivingPart): Promise<{ part: number; isNew: boolean }> {
      const row = await byCode(code, arriving.clientIp)
      const { part, body } = arriving
      const lock = await locks.take(`${row.upload_id}/${part}`, () => body.destroy())
      try {
        if (await store.hasPart(row.upload_id, part)) return { part, isNew: false }
        await write(row, arriving)
        return { part, isNew: true }
      } finally {
        lock.end()
      }
    },

    async drop(actor: Actor, uploadId: string): Promise<void> {
      const row = await own(actor, uploadId)
      if (await store.isNeeded(uploadId))
        throw new AppError('Conflict', 'A load task needs this file. Cancel the load instead.')
      await remove(row)
    },

    /** Removes what was not loaded in time, and what has no row, as after a crash. */
    async expire(): Promise<void> {
      const old = await store.expired(clock.now(), MOST_EXPIRED)
      for (const row of old) await remove(row)
      if (old.length > 0) log.info({ count: old.length }, 'uploads that were not loaded in time were removed')
      await tasks.failWithoutFile(FILE_EXPIRED, clock.now())
      await sweep()
    },

    sweep,
  }
}

export type Uploads = ReturnType<typeof createUploads>
