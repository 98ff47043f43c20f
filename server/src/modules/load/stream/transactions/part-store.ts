import { type Kysely, sql, type Transaction } from 'kysely'
import { foldedName } from '../../../../kernel/same-name.ts'
import { jsonText } from '../../../../store/json-text.ts'
import type { Schema } from '../../../../store/schema.ts'
import type { StreamOptions } from '../stream-options.ts'
import { lockedAt, lockStaging } from './transaction-lock-store.ts'

/** A part that is about to arrive. */
export interface NewPart {
  readonly file: string
  readonly taskId: string
  readonly accountId: string
  readonly userId: string
  readonly table: string
  readonly part: StreamOptions['part']
  /** Reserved for it at first. */
  readonly sizeBytes: number
}

export interface MostStaged {
  readonly parts: number
  readonly bytesOfUser: number
  readonly bytesOfAccount: number
}

type Owner = Pick<NewPart, 'accountId' | 'userId'>

/** With the account locked. */
async function hasRoom(
  trx: Transaction<Schema>,
  { accountId, userId }: Owner,
  wanted: { readonly bytes: number; readonly most: MostStaged },
): Promise<boolean> {
  const { user, account } = await trx
    .selectFrom('load_parts')
    .select(sql<number>`coalesce(sum(size_bytes), 0)::float8`.as('account'))
    .select(sql<number>`coalesce(sum(size_bytes) filter (where user_id = ${userId}), 0)::float8`.as('user'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const { bytes, most } = wanted
  return user + bytes <= most.bytesOfUser && account + bytes <= most.bytesOfAccount
}

/** The parts of transactions. Room for them is reserved before they come. */
export function createPartStore(db: Kysely<Schema>) {
  return {
    /** Gives its place among the parts, from 0. */
    addPart: (
      one: NewPart,
      most: MostStaged,
      at: Date,
    ): Promise<number | 'moved' | 'table' | 'parts' | 'bytes'> =>
      db.transaction().execute(async (trx) => {
        const { taskId, table } = one
        await lockStaging(trx, one.accountId)
        const row = await lockedAt(trx, taskId, ['open'])
        if (!row) return 'moved'
        if (row.is_of_one_table && foldedName(row.table_name) !== foldedName(table)) return 'table'
        const { next, parts } = await trx
          .selectFrom('load_parts')
          .select(sql<number>`coalesce(max(place) + 1, 0)::int`.as('next'))
          .select(sql<number>`count(*)::int`.as('parts'))
          .where('task_id', '=', taskId)
          .executeTakeFirstOrThrow()
        if (parts >= most.parts) return 'parts'
        if (!(await hasRoom(trx, one, { bytes: one.sizeBytes, most }))) return 'bytes'
        await trx
          .insertInto('load_parts')
          .values({
            file: one.file,
            task_id: taskId,
            account_id: one.accountId,
            user_id: one.userId,
            place: next,
            table_name: table,
            part: jsonText(one.part),
            size_bytes: one.sizeBytes,
          })
          .execute()
        const tables = row.tables ?? []
        await trx
          .updateTable('load_tasks')
          .set({
            active_at: at,
            table_name: row.table_name || table,
            tables: tables.includes(table) ? tables : [...tables, table],
          })
          .where('task_id', '=', taskId)
          .execute()
        return next
      }),

    /** Reserves more for one that arrives; false when there is no room. */
    growPart: (file: string, owner: Owner, more: { readonly bytes: number; readonly most: MostStaged }) =>
      db.transaction().execute(async (trx) => {
        await lockStaging(trx, owner.accountId)
        if (!(await hasRoom(trx, owner, more))) return false
        await trx
          .updateTable('load_parts')
          .set({ size_bytes: sql`size_bytes + ${more.bytes}` })
          .where('file', '=', file)
          .execute()
        return true
      }),

    /** Its data is on the disk. False when its transaction has ended meanwhile. */
    partArrived: (
      { file, taskId }: Pick<NewPart, 'file' | 'taskId'>,
      sizes: { readonly bytes: number; readonly received: number },
      at: Date,
    ): Promise<boolean> =>
      db.transaction().execute(async (trx) => {
        if (!(await lockedAt(trx, taskId, ['open']))) return false
        await trx
          .updateTable('load_parts')
          .set({ size_bytes: sizes.bytes, is_whole: true })
          .where('file', '=', file)
          .execute()
        await trx
          .updateTable('load_tasks')
          .set({ active_at: at, size_bytes: sql`size_bytes + ${sizes.received}` })
          .where('task_id', '=', taskId)
          .execute()
        return true
      }),
  }
}
