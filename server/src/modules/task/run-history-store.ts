import { LIMITS } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { OPEN, toRun, runsIn } from './run-rows-store.ts'
import type { RunRow } from './run-store.ts'

/** Runs as they are listed, and how long they are kept. */
export function createRunHistoryStore(db: Kysely<Schema>) {
  return {
    /** Of a view, newest first. */
    async page(viewId: string, { offset, limit }: { offset: number; limit: number }) {
      const { total } = await db
        .selectFrom('task_runs')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where('view_id', '=', viewId)
        .executeTakeFirstOrThrow()
      const rows = await runsIn(db)
        .where('view_id', '=', viewId)
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return { list: rows.map(toRun), total }
    },

    /** Submitted tasks of a user, or with null of everyone in the account, newest first. */
    async submitted(accountId: string, userId: string | null): Promise<RunRow[]> {
      const rows = await runsIn(db)
        .where('account_id', '=', accountId)
        .where('view_id', 'is', null)
        .$if(userId !== null, (all) => all.where('user_id', '=', userId ?? ''))
        .orderBy('created_at', 'desc')
        .orderBy('run_id', 'desc')
        .limit(LIMITS.taskRunsPerAccount)
        .execute()
      return rows.map(toRun)
    },

    /** Of one view, of one task that runs again and again, or of the others of an account, the newest are kept. */
    async keepNewest(executor: Kysely<Schema>, { account_id, view_id, task_id }: RunRow): Promise<void> {
      const isAlone = view_id === null && task_id === null
      await executor
        .deleteFrom('task_runs')
        .where('run_id', 'in', (eb) =>
          eb
            .selectFrom('task_runs')
            .select('run_id')
            .$if(isAlone, (all) =>
              all
                .where('account_id', '=', account_id)
                .where('view_id', 'is', null)
                .where('task_id', 'is', null),
            )
            .$if(view_id !== null, (all) => all.where('view_id', '=', view_id))
            .$if(task_id !== null, (all) => all.where('task_id', '=', task_id))
            .where('state', 'not in', OPEN)
            .orderBy('created_at', 'desc')
            .orderBy('run_id', 'desc')
            .offset(isAlone ? LIMITS.taskRunsPerAccount : LIMITS.taskRunsPerView),
        )
        .execute()
    },

    async forgetEnded(before: Date, most: number): Promise<number> {
      const { numDeletedRows } = await db
        .deleteFrom('task_runs')
        .where('run_id', 'in', (eb) =>
          eb.selectFrom('task_runs').select('run_id').where('ended_at', '<', before).limit(most),
        )
        .executeTakeFirstOrThrow()
      return Number(numDeletedRows)
    },
  }
}
