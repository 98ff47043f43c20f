import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'
import { tookMicros } from './duration-store.ts'
import { newestFirst } from './newest-first-store.ts'
import type { Seen } from './seen-by.ts'

interface SameText {
  readonly most: number
  readonly finishedOnly: boolean
}

/** Of the same text, so many are looked at for those of one user, or for those that finished. */
const SAME_TEXT_LOOKED_AT = 2_000

/** Statements of the same text, newest first. */
export const sameTextRuns =
  (db: Kysely<Schema>) =>
  ({ accountId, user }: Seen, text: string, { most, finishedOnly }: SameText) => {
    const same = newestFirst(
      db
        .selectFrom('statements')
        .select([
          'query_id',
          'user_id',
          'user_name',
          'warehouse_id',
          'state',
          'accepted_at',
          'started_at',
          'ended_at',
          'row_count',
        ])
        .select(tookMicros().as('took_us'))
        .where('account_id', '=', accountId)
        .where('visible', '=', true)
        .where(sql<boolean>`hashtextextended(sql, 0) = hashtextextended(${text}, 0)`)
        .where('sql', '=', text),
    ).limit(SAME_TEXT_LOOKED_AT)
    const looked = db.selectFrom(same.as('same')).selectAll()
    const runs = finishedOnly ? looked.where('state', '=', 'finished') : looked
    return (user ? runs.where('user_id', '=', user.id) : runs)
      .orderBy('accepted_at', 'desc')
      .orderBy('query_id', 'desc')
      .limit(most)
      .execute()
  }
