import type { PipeFileState } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import { timeOrderedId } from '../../../kernel/time-ordered-id.ts'
import type { Schema } from '../../../store/schema.ts'
import type { SourceFile } from './source-file.ts'

export interface PipeFileRow {
  readonly file_id: string
  readonly pipe_id: string
  readonly path: string
  readonly version: string
  readonly size_bytes: number
  readonly changed_at: Date
  readonly state: PipeFileState
  readonly label: string
  readonly content_hash: string | null
  readonly is_forced: boolean
  readonly attempts: number
  readonly retry_at: Date
  readonly error: string
  readonly rows_loaded: number | null
  readonly rows_rejected: number
  readonly query_id: string | null
  readonly seen_at: Date
  readonly started_at: Date | null
  readonly ended_at: Date | null
}

/** How it went with a file. */
export interface FileEnd {
  readonly state: 'loaded' | 'failed' | 'skipped'
  readonly error: string
  readonly rowsLoaded: number | null
  readonly rowsRejected: number
  readonly queryId: string | null
}

export interface PipeFigures {
  readonly pipe_id: string
  readonly state: PipeFileState
  readonly files: number
  readonly rows: number
  readonly bytes: number
  readonly oldest: Date
  readonly last_ended: Date | null
}

const toFile = (row: object): PipeFileRow => row as PipeFileRow

const UNIQUE_VIOLATION = '23505'

const isTaken = (error: unknown): boolean => (error as { code?: string }).code === UNIQUE_VIOLATION

/** What pipes know of their files. */
export function createPipeFileStore(db: Kysely<Schema>) {
  async function sameContent(file: PipeFileRow, hash: string) {
    return db
      .selectFrom('pipe_files')
      .select(['path', 'state'])
      .where('pipe_id', '=', file.pipe_id)
      .where('content_hash', '=', hash)
      .where('state', 'in', ['loading', 'loaded'])
      .where('file_id', '!=', file.file_id)
      .executeTakeFirst()
  }

  return {
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

    async count(pipeId: string, state?: PipeFileState): Promise<number> {
      let query = db.selectFrom('pipe_files').where('pipe_id', '=', pipeId)
      if (state) query = query.where('state', '=', state)
      const { count } = await query
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return Number(count)
    },

    async list(
      pipeId: string,
      { state, offset, limit }: { state?: PipeFileState | undefined; offset: number; limit: number },
    ): Promise<PipeFileRow[]> {
      let query = db.selectFrom('pipe_files').selectAll().where('pipe_id', '=', pipeId)
      if (state) query = query.where('state', '=', state)
      const rows = await query
        .orderBy('seen_at', 'desc')
        .orderBy('file_id', 'desc')
        .offset(offset)
        .limit(limit)
        .execute()
      return rows.map(toFile)
    },

    async figures(pipeIds: readonly string[]): Promise<PipeFigures[]> {
      if (pipeIds.length === 0) return []
      const rows = await db
        .selectFrom('pipe_files')
        .select([
          'pipe_id',
          'state',
          sql<number>`count(*)::bigint`.as('files'),
          sql<number>`coalesce(sum(rows_loaded), 0)::bigint`.as('rows'),
          sql<number>`coalesce(sum(size_bytes), 0)::bigint`.as('bytes'),
          sql<Date>`min(seen_at)`.as('oldest'),
          sql<Date | null>`max(ended_at)`.as('last_ended'),
        ])
        .where('pipe_id', 'in', pipeIds)
        .groupBy(['pipe_id', 'state'])
        .execute()
      return rows as PipeFigures[]
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
        .set((eb) => ({ state: 'loading', attempts: eb('attempts', '+', 1), started_at: now }))
        .where('file_id', '=', fileId)
        .where('state', 'in', ['waiting', 'loading'])
        .returning('file_id')
        .executeTakeFirst()
      return begun !== undefined
    },

    /** Takes its content for this file; else says which file of the pipe has it. */
    async claimContent(file: PipeFileRow, hash: string): Promise<{ path: string; state: string } | null> {
      const other = await sameContent(file, hash)
      if (other) return other
      try {
        await db
          .updateTable('pipe_files')
          .set({ content_hash: hash })
          .where('file_id', '=', file.file_id)
          .execute()
        return null
      } catch (error) {
        if (!isTaken(error)) throw error
        return (await sameContent(file, hash)) ?? { path: '', state: 'loading' }
      }
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

    async find(pipeId: string, by: { fileId: string } | { path: string }): Promise<PipeFileRow | undefined> {
      let query = db.selectFrom('pipe_files').selectAll().where('pipe_id', '=', pipeId)
      query = 'fileId' in by ? query.where('file_id', '=', by.fileId) : query.where('path', '=', by.path)
      const row = await query.orderBy('seen_at', 'desc').orderBy('file_id', 'desc').executeTakeFirst()
      return row && toFile(row)
    },

    async skip(fileId: string, now: Date): Promise<boolean> {
      const skipped = await db
        .updateTable('pipe_files')
        .set({ state: 'skipped', error: 'Skipped by a user.', ended_at: now })
        .where('file_id', '=', fileId)
        .where('state', 'in', ['waiting', 'failed'])
        .returning('file_id')
        .executeTakeFirst()
      return skipped !== undefined
    },

    /** One file that was skipped or failed, or with null all that have failed; gives how many. */
    async retry(pipeId: string, fileId: string | null, now: Date): Promise<number> {
      let query = db
        .updateTable('pipe_files')
        .set({
          state: 'waiting',
          error: '',
          attempts: 0,
          retry_at: now,
          ended_at: null,
          content_hash: null,
          // Somebody who asks for a file that was skipped wants its rows, whatever was loaded before.
          is_forced: sql<boolean>`is_forced or state = 'skipped'`,
        })
        .where('pipe_id', '=', pipeId)
      query =
        fileId === null
          ? query.where('state', '=', 'failed')
          : query.where('file_id', '=', fileId).where('state', 'in', ['failed', 'skipped'])
      const { numUpdatedRows } = await query.executeTakeFirst()
      return Number(numUpdatedRows)
    },
  }
}

export type PipeFileStore = ReturnType<typeof createPipeFileStore>
