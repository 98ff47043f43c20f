import { type Kysely, sql } from 'kysely'
import type { Rejection } from '../../engines/engine/files.ts'
import type { Schema } from '../../store/schema.ts'
import type { TaskPage } from './task-store.ts'

/** The database stores no text with NUL, which may be why a row was rejected: it is shown by its symbol. */
const withoutNul = (text: string): string => text.replaceAll('\0', '␀')

/** Rows of files that a load rejected. */
export function createRejectionStore(db: Kysely<Schema>) {
  return {
    keepRejections: (taskId: string, rejected: readonly Rejection[]) =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('load_rejections').where('task_id', '=', taskId).execute()
        if (rejected.length === 0) return
        const rows = rejected.map(({ line, column, reason, text }, place) => ({
          task_id: taskId,
          place,
          line,
          column_name: column,
          reason: withoutNul(reason),
          text: text === null ? null : withoutNul(text),
        }))
        await trx.insertInto('load_rejections').values(rows).execute()
      }),

    rejections: (taskId: string, { offset, limit }: TaskPage) =>
      db
        .selectFrom('load_rejections')
        .select(['line', 'column_name', 'reason', 'text'])
        .where('task_id', '=', taskId)
        .orderBy('place')
        .offset(offset)
        .limit(limit)
        .execute(),

    async countRejections(taskId: string): Promise<number> {
      const { rows } = await db
        .selectFrom('load_rejections')
        .select(sql<number>`count(*)::int`.as('rows'))
        .where('task_id', '=', taskId)
        .executeTakeFirstOrThrow()
      return rows
    },
  }
}
