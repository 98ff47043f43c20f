import { type Kysely, sql } from 'kysely'
import type { StreamCounts } from '../../../engines/engine/files.ts'
import { foldedName } from '../../../kernel/same-name.ts'
import { catalogKeyOf } from '../../../store/catalog-ids.ts'
import { compiledOnce } from '../../../store/compiled-once.ts'
import { foldedColumn } from '../../../store/folded-name.ts'
import type { Schema } from '../../../store/schema.ts'
import { catalogNow, UNDER_WAY } from '../task-change-store.ts'
import { createLabelRows } from './label-rows-store.ts'

export interface StreamEnd {
  readonly taskId: string
  readonly state: 'finished' | 'failed' | 'cancelled'
  readonly error: string
  readonly sizeBytes: number
  readonly queryId: string | null
  readonly counts: StreamCounts | null
}

export interface LabelPlace {
  readonly accountId: string
  readonly catalog: string
  readonly database: string
}

/** Loads that programs send, as rows of the load tasks. */
export function createStreamStore(db: Kysely<Schema>) {
  const setRequest = compiledOnce(db, ({ taskIds, requestId }: { taskIds: string[]; requestId: string }) => ({
    compile: () =>
      sql`update load_tasks set request_id = ${requestId} where task_id = any(${taskIds}::uuid[])`.compile(
        db,
      ),
  }))
  return {
    /** Takes its label; undefined when another load has it. */
    insert: createLabelRows(db),

    /** The load that has a label, unless it failed. */
    byLabel: ({ accountId, catalog, database }: LabelPlace, label: string) =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('account_id', '=', accountId)
        .where(foldedColumn('load_tasks.catalog_id'), '=', catalogKeyOf(accountId, catalog))
        .where(foldedColumn('database_name'), '=', foldedName(database))
        .where('label', '=', label)
        .where('state', 'not in', ['failed', 'cancelled'])
        .executeTakeFirst(),

    /** About to be sent under this id: who comes later can find out how it ended. */
    sending: (taskIds: readonly string[], requestId: string) =>
      setRequest({ taskIds: [...taskIds], requestId }),

    end: ({ taskId, state, error, sizeBytes, queryId, counts }: StreamEnd, at: Date) =>
      db
        .updateTable('load_tasks')
        .set({
          state,
          error,
          size_bytes: sizeBytes,
          query_id: queryId,
          rows_total: counts?.total ?? null,
          rows_loaded: counts?.loaded ?? null,
          rows_rejected: counts?.filtered ?? 0,
          rows_unselected: counts?.unselected ?? null,
          ended_at: at,
        })
        .where('task_id', '=', taskId)
        .where('state', 'in', UNDER_WAY)
        .execute(),

    /** Of loads of one request that all of them are in the table. */
    async endAll(ends: readonly StreamEnd[], at: Date): Promise<void> {
      const [first] = ends
      if (!first) return
      const of = <T>(pick: (end: StreamEnd) => T): T[] => ends.map(pick)
      await sql`update load_tasks set state = 'finished', query_id = ${first.queryId}, ended_at = ${at},
          size_bytes = ended.bytes, rows_total = ended.loaded, rows_loaded = ended.loaded, rows_unselected = 0
        from unnest(${of(({ taskId }) => taskId)}::uuid[], ${of(({ sizeBytes }) => sizeBytes)}::bigint[],
          ${of(({ counts }) => counts?.loaded ?? 0)}::bigint[]) as ended (id, bytes, loaded)
        where task_id = ended.id and state in ('queued', 'running')`.execute(db)
    },

    /** Loads of one body that nobody has ended. */
    left: (most: number) =>
      db
        .selectFrom('load_tasks')
        .selectAll('load_tasks')
        .select(catalogNow())
        .where('label', 'is not', null)
        .where('stage', 'is', null)
        .where('state', 'in', UNDER_WAY)
        .orderBy('created_at')
        .limit(most)
        .execute(),

    /** Labels can be used again then. */
    async forget(endedBefore: Date, most: number): Promise<number> {
      const { numAffectedRows } = await sql`
        delete from load_tasks where task_id in (
          select task_id from load_tasks where label is not null and ended_at < ${endedBefore}
            -- Of a file that a pipe does not know to be loaded yet, nothing else says so.
            and not exists (select from pipe_files where pipe_files.label = load_tasks.label and pipe_files.state = 'loading')
          limit ${most}
        )`.execute(db)
      return Number(numAffectedRows ?? 0)
    },
  }
}

export type StreamStore = ReturnType<typeof createStreamStore>
