import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import { jsonText } from '../../store/json-text.ts'
import type { Schema } from '../../store/schema.ts'
import { createUploadPartsStore } from './upload-parts-store.ts'
import { createUploadExpiryStore } from './upload-expiry-store.ts'

export type UploadRow = Selectable<Schema['uploads']>
export type NewUpload = Insertable<Schema['uploads']>

interface Room {
  readonly mostBytes: number
  readonly mostUploads: number
}

export interface UploadQuota {
  readonly account: Room
  readonly user: Room
}

const hasRoom = (held: { bytes: number; uploads: number }, sizeBytes: number, room: Room): boolean =>
  held.bytes + sizeBytes <= room.mostBytes && held.uploads < room.mostUploads

export function createUploadStore(db: Kysely<Schema>) {
  return {
    ...createUploadPartsStore(db),
    ...createUploadExpiryStore(db),

    /** Room for the whole file; who has none for it, and then nothing is written down; null when it is reserved. */
    reserve: (row: NewUpload, { account, user }: UploadQuota): Promise<'account' | 'user' | null> =>
      db.transaction().execute(async (trx) => {
        // One after the other: else two would both find the same room.
        const lock = `uploads ${row.account_id}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(trx)
        const held = trx
          .selectFrom('uploads')
          .select([
            sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'),
            sql<number>`count(*)::int`.as('uploads'),
          ])
          .where('account_id', '=', row.account_id)
        const own = held.where('user_id', '=', row.user_id)
        if (!hasRoom(await own.executeTakeFirstOrThrow(), row.size_bytes, user)) return 'user'
        if (!hasRoom(await held.executeTakeFirstOrThrow(), row.size_bytes, account)) return 'account'
        await trx.insertInto('uploads').values(row).execute()
        return null
      }),

    find: (accountId: string, uploadId: string) =>
      db
        .selectFrom('uploads')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('upload_id', '=', uploadId)
        .executeTakeFirst(),

    findByCode: (codeHash: Buffer) =>
      db.selectFrom('uploads').selectAll().where('code_hash', '=', codeHash).executeTakeFirst(),

    /** The newest upload of the same file that no task uses, to resume it. */
    findSame: (of: Pick<UploadRow, 'user_id' | 'name' | 'fingerprint'> & { size_bytes: number }, now: Date) =>
      db
        .selectFrom('uploads')
        .selectAll()
        .where('user_id', '=', of.user_id)
        .where('name', '=', of.name)
        .where('fingerprint', '=', of.fingerprint)
        .where('size_bytes', '=', of.size_bytes)
        .where('expires_at', '>', now)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('load_tasks')
                .select('task_id')
                .whereRef('load_tasks.upload_id', '=', 'uploads.upload_id'),
            ),
          ),
        )
        .orderBy('created_at', 'desc')
        .limit(1)
        .executeTakeFirst(),

    renew: (uploadId: string, change: { code_hash?: Buffer; expires_at: Date }) =>
      db.updateTable('uploads').set(change).where('upload_id', '=', uploadId).execute(),

    /** Of a file whose size nobody knew before it was there. */
    resize: (uploadId: string, sizeBytes: number) =>
      db.updateTable('uploads').set({ size_bytes: sizeBytes }).where('upload_id', '=', uploadId).execute(),

    inspected: (uploadId: string, inspection: unknown) =>
      db
        .updateTable('uploads')
        .set({ inspection: jsonText(inspection) })
        .where('upload_id', '=', uploadId)
        .execute(),

    /** Of a server that has ended. */
    unfinishedInspections: () =>
      db
        .selectFrom('uploads')
        .select(['upload_id', 'inspection'])
        .where(sql<boolean>`inspection->>'state' = 'running'`)
        .execute(),

    remove: (uploadId: string) => db.deleteFrom('uploads').where('upload_id', '=', uploadId).execute(),
  }
}

export type UploadStore = ReturnType<typeof createUploadStore>
