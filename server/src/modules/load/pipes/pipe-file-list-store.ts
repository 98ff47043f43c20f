import type { PipeFileState } from '@boathouse/contract'
import { type Kysely, sql } from 'kysely'
import type { Schema } from '../../../store/schema.ts'

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

export interface PipeFigures {
  readonly pipe_id: string
  readonly state: PipeFileState
  readonly files: number
  readonly rows: number
  readonly bytes: number
  readonly oldest: Date
  readonly last_ended: Date | null
}

export const toFile = (row: object): PipeFileRow => row as PipeFileRow

/** Files of pipes as users see them, and what users do with them. */
export function createPipeFileListStore(db: Kysely<Schema>) {
  return {
    async count(pipeId: string, state?: PipeFileState): Promise<number> {
      let query = db.selectFrom('pipe_files').where('pipe_id', '=', pipeId)
      if (state) query = query.where('state', '=', state)
      const { count } = await query
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow()
      return count
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
