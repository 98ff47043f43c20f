import { type Insertable, type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import { type AuditEvent, recordAudit } from '../../audit/record.ts'

export type NewDownload = Omit<Insertable<Schema['downloads']>, 'bytes'> & { readonly account_id: string }

export interface RoomOrder {
  readonly bytes: number
  readonly atLeast: number
  readonly mostBytes: number
  readonly mostBytesOfUser: number
}

/** Files made for a download: written down before they are made, until they are removed. */
export function createDownloadStore(db: Kysely<Schema>) {
  return {
    bytesOf: (accountId: string): Promise<number> => bytesOf(db, accountId),

    /**
     * Room for a file: as much as is asked for, or what all files of the account, and those of the user, leave. Null, and
     * nothing is written down, when that is less than `atLeast`.
     */
    reserve: (
      row: NewDownload,
      { bytes, atLeast, mostBytes, mostBytesOfUser }: RoomOrder,
    ): Promise<number | null> =>
      db.transaction().execute(async (transaction) => {
        // One after the other: else two would both find the same room.
        const lock = `downloads ${row.account_id}`
        await sql`select pg_advisory_xact_lock(hashtextextended(${lock}, 0))`.execute(transaction)
        const { account_id, user_id } = row
        const granted = Math.min(
          bytes,
          mostBytes - (await bytesOf(transaction, account_id)),
          mostBytesOfUser - (await bytesOf(transaction, account_id, user_id)),
        )
        if (granted < atLeast) return null
        await transaction
          .insertInto('downloads')
          .values({ ...row, bytes: granted })
          .execute()
        return granted
      }),

    made: (
      codeHash: Buffer,
      { bytes, at, expiresAt }: { bytes: number; at: Date; expiresAt: Date },
      event: AuditEvent,
    ) =>
      db.transaction().execute(async (trx) => {
        await trx
          .updateTable('downloads')
          .set({ bytes, made_at: at, expires_at: expiresAt })
          .where('code_hash', '=', codeHash)
          .execute()
        await recordAudit(trx, event)
      }),

    record: (event: AuditEvent) => db.transaction().execute((trx) => recordAudit(trx, event)),

    /** Of a file that is made and was not taken yet. */
    find: (codeHash: Buffer) =>
      db
        .selectFrom('downloads')
        .selectAll()
        .where('code_hash', '=', codeHash)
        .where('taken_at', 'is', null)
        .where('made_at', 'is not', null)
        .executeTakeFirst(),

    /** Good once, for the first who takes it. The file counts until it is removed. */
    take: (codeHash: Buffer, at: Date) =>
      db
        .updateTable('downloads')
        .set({ taken_at: at })
        .where('code_hash', '=', codeHash)
        .where('taken_at', 'is', null)
        .where('made_at', 'is not', null)
        .returning([
          'account_id',
          'user_id',
          'query_id',
          'file',
          'file_name',
          'format',
          'bytes',
          'expires_at',
        ])
        .executeTakeFirst(),

    remove: (codeHash: Buffer) => db.deleteFrom('downloads').where('code_hash', '=', codeHash).execute(),

    /** Those that are being fetched have longer. */
    removeExpired: (at: Date, takenBefore: Date) =>
      db
        .deleteFrom('downloads')
        .where((is) =>
          is.or([
            is.and([is('taken_at', 'is', null), is('expires_at', '<=', at)]),
            is('taken_at', '<=', takenBefore),
          ]),
        )
        .returning(['account_id', 'file'])
        .execute(),

    /** Of a server that has ended: nobody makes or fetches these any more. */
    removeUnfinished: () =>
      db
        .deleteFrom('downloads')
        .where((is) => is.or([is('made_at', 'is', null), is('taken_at', 'is not', null)]))
        .execute(),

    async filesOf(accountId: string): Promise<Set<string>> {
      const rows = await db
        .selectFrom('downloads')
        .select('file')
        .where('account_id', '=', accountId)
        .execute()
      return new Set(rows.map(({ file }) => file))
    },
  }
}

export type DownloadStore = ReturnType<typeof createDownloadStore>

async function bytesOf(db: Kysely<Schema>, accountId: string, userId?: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('downloads')
    .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('bytes'))
    .where('account_id', '=', accountId)
    .$if(userId !== undefined, (all) => all.where('user_id', '=', userId ?? ''))
    .executeTakeFirstOrThrow()
  return bytes
}
