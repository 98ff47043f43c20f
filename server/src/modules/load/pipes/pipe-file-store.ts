import { type Kysely, sql } from 'kysely'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { Schema } from '../../../store/schema.ts'
import { createPipeContentStore } from './pipe-content-store.ts'
import { createPipeFileListStore, type PipeFileRow, toFile } from './pipe-file-list-store.ts'
import type { SourceFile } from './source-file.ts'

/** How it went with a file. */
export interface FileEnd {
  readonly state: 'loaded' | 'failed' | 'skipped'
  readonly error: string
  readonly rowsLoaded: number | null
  readonly rowsRejected: number
  readonly queryId: string | null
}

/** What pipes know of their files. */
export function createPipeFileStore(db: Kysely<Schema>) {
  return {
    ...createPipeFileListStore(db),
    ...createPipeContentStore(db),

    /** Those of a list that were not seen before; gives how many. */
    async add(
      pipeId: string,
      found: readonly (SourceFile & { readonly label: string })[],
      now: Date,
    ): Promise<number> {
      const of = <T>(pick: (file: SourceFile & { label: string }) => T): T[] => found.map(pick)
      const { numAffectedRows } = await sql`
        insert into pipe_files (file_id, pipe_id, path, version, size_bytes, changed_at, label,
          state, is_forced, attempts, retry_at, error, rows_rejected, seen_at)
        select id, ${pipeId}::uuid, path, version, size, changed, label, 'waiting', false, 0, ${now}, '', 0, ${now}
        from unnest(${of(() => timeOrderedId())}::uuid[], ${of(({ path }) => path)}::text[],
          ${of(({ version }) => version)}::text[], ${of(({ sizeBytes }) => sizeBytes)}::bigint[],
          ${of(({ changedAt }) => changedAt)}::timestamptz[], ${of(({ label }) => label)}::text[])
          as found (id, path, version, size, changed, label)
        where not exists (select from pipe_files known
          where known.pipe_id = ${pipeId}::uuid and known.path = found.path and known.version = found.version)
        on conflict do nothing`.execute(db)
      return Number(numAffectedRows ?? 0)
    },

    /** What is to be loaded now, oldest first; with those that a server has left in the middle. */
    async open(pipeId: string, now: Date, most: number): Promise<PipeFileRow[]> {
      const rows = await db
        .selectFrom('pipe_files')
        .selectAll()
        .where('pipe_id', '=', pipeId)
        .where('state', 'in', ['waiting', 'loading'])
        .where('retry_at', '<=', now)
        .orderBy('changed_at')
        .orderBy('file_id')
        .limit(most)
        .execute()
      return rows.map(toFile)
    },

    /** False when somebody has skipped it meanwhile. */
    async begin(fileId: string, now: Date): Promise<boolean> {
      const begun = await db
        .updateTable('pipe_files')
        .set((eb) => ({
          state: 'loading',
          attempts: eb('attempts', '+', 1),
          started_at: now,
          // Of one that waits, another file may have been loaded with this content since.
          content_hash: sql<string | null>`case when state = 'loading' then content_hash end`,
        }))
        .where('file_id', '=', fileId)
        .where('state', 'in', ['waiting', 'loading'])
        .returning('file_id')
        .executeTakeFirst()
      return begun !== undefined
    },

    async end(fileId: string, { state, error, rowsLoaded, rowsRejected, queryId }: FileEnd, now: Date) {
      await db
        .updateTable('pipe_files')
        .set({
          state,
          error,
          rows_loaded: rowsLoaded,
          rows_rejected: rowsRejected,
          query_id: queryId,
          ended_at: now,
        })
        .where('file_id', '=', fileId)
        .where('state', '=', 'loading')
        .execute()
    },

    /** Not now: `loading` where it is not known how it ended. */
    async later(
      fileId: string,
      { state, retryAt, error }: { state: 'waiting' | 'loading'; retryAt: Date; error: string },
    ): Promise<void> {
      await db
        .updateTable('pipe_files')
        .set({ state, retry_at: retryAt, error })
        .where('file_id', '=', fileId)
        .where('state', '=', 'loading')
        .execute()
    },

    /** It is another file by now, which the next list has. */
    async forget(fileId: string): Promise<void> {
      await db.deleteFrom('pipe_files').where('file_id', '=', fileId).where('state', '=', 'loading').execute()
    },
  }
}

export type PipeFileStore = ReturnType<typeof createPipeFileStore>
