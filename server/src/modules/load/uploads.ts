import { randomBytes, randomUUID } from 'node:crypto'
import { type Inspection, LIMITS, type Upload, whyNotLoaded } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { RequireLetIn } from '../firewall/gate.ts'
import { presentInspection, readInspection } from './inspection.ts'
import type { TaskStore } from './task-store.ts'
import type { UploadFiles } from './upload-files.ts'
import type { UploadRow, UploadStore } from './upload-store.ts'
import { HOUR_MS, UPLOAD_MS, hashCode, incomplete, noUpload, partsIn, placeOf } from './upload-row.ts'
import { type NewFile, createUploadSpace } from './upload-space.ts'
import { createArrivingParts } from './arriving-parts.ts'
import { createUploadExpiry } from './upload-expiry.ts'

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
  /** A file without a row that belongs to a load that is under way. */
  readonly isArriving: (name: string) => boolean
  /** How far it is, while the service fetches it itself. */
  readonly fetchingOf: (uploadId: string) => Upload['fetching']
  /** Of all files of an account together. */
  readonly mostBytes?: number
}

export const WAITING_MS = LIMITS.loadDays * 24 * HOUR_MS

/** Files on their way in: room is reserved for the whole before the first part, and each part counts once it is on disk. */
export function createUploads(parts: UploadParts) {
  const { store, files, clock } = parts
  const reserve = createUploadSpace(parts)
  const later = (ms: number): Date => new Date(clock.now().getTime() + ms)

  async function present(row: UploadRow): Promise<Upload> {
    const received = await store.partsOf(row.upload_id)
    const fetching = parts.fetchingOf(row.upload_id)
    const inspection: Inspection | null = presentInspection(readInspection(row))
    return {
      uploadId: row.upload_id,
      name: row.name,
      sizeBytes: row.size_bytes,
      partBytes: row.part_bytes,
      received,
      complete: received.length === partsIn(row) && fetching === null,
      expiresAt: row.expires_at.toISOString(),
      inspection,
      fetching,
    }
  }

  async function own(actor: Actor, uploadId: string): Promise<UploadRow> {
    const row = await store.find(actor.accountId, uploadId)
    if (!row || row.user_id !== actor.userId || row.expires_at <= clock.now()) throw noUpload()
    return row
  }

  /** A file without its row is gone from every list, and nobody can reach it: so it goes last. */
  async function remove(row: Pick<UploadRow, 'account_id' | 'upload_id'>): Promise<void> {
    await store.remove(row.upload_id)
    await files.remove(placeOf(row))
  }

  return {
    ...createArrivingParts(parts),
    ...createUploadExpiry(parts, remove),

    own,
    present,
    remove,

    /** Room for a file that the service fetches: nobody sends parts of it, and no other resumes it. */
    async reserveFetched(actor: Actor, file: Omit<NewFile, 'fingerprint'>): Promise<UploadRow> {
      const refusal = whyNotLoaded(file.name)
      if (refusal) throw new AppError('BadInput', refusal)
      const uploadId = await reserve(actor, { ...file, fingerprint: randomUUID() }, randomBytes(32))
      await files.create({ accountId: actor.accountId, uploadId })
      return own(actor, uploadId)
    },

    async requireComplete(row: UploadRow): Promise<void> {
      if ((await store.partsOf(row.upload_id)).length < partsIn(row)) throw incomplete()
    },

    /** A task needs it until then. */
    keepUntil: (uploadId: string, ms: number) => store.renew(uploadId, { expires_at: later(ms) }),

    /** Resumes the upload of the same file; its earlier address expires. */
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

    async drop(actor: Actor, uploadId: string): Promise<void> {
      const row = await own(actor, uploadId)
      if (await store.isNeeded(uploadId))
        throw new AppError('Conflict', 'A load task needs this file. Cancel the load instead.')
      await remove(row)
    },
  }
}

export type Uploads = ReturnType<typeof createUploads>
