import { LIMITS, type PipeFileState } from '@boathouse/contract'
import type { SystemRow } from '../../../engines/engine/system-tables.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { nameForMysql } from '../../query/sessions/named-place.ts'
import type { PipeFileRow } from './pipe-file-list-store.ts'
import type { Pipes, WholePipe } from './service.ts'

/** The words of the list. */
const FILE_STATES: Readonly<Record<PipeFileState, string>> = {
  waiting: 'UNLOADED',
  loading: 'LOADING',
  loaded: 'LOADED',
  failed: 'ERROR',
  skipped: 'SKIPPED',
}

/** As SHOW PIPES and `information_schema.pipes` show it. */
export function listedPipe({ row, pipe }: WholePipe): SystemRow<'pipes'> {
  const { files } = pipe
  return {
    database_name: nameForMysql({ catalog: row.catalog, database: row.database_name }),
    pipe_id: row.pipe_id,
    pipe_name: row.name,
    properties: JSON.stringify(row.properties),
    table_name: nameForMysql({
      catalog: row.table_catalog,
      database: `${row.table_database}.${row.table_name}`,
    }),
    state: row.state.toUpperCase(),
    load_status: JSON.stringify({
      loadedFiles: files.loaded,
      loadedBytes: pipe.bytesLoaded,
      loadedRows: pipe.rowsLoaded,
      loadingFiles: files.loading,
      waitingFiles: files.waiting,
      failedFiles: files.failed,
      skippedFiles: files.skipped,
      lagSeconds: pipe.lagSeconds,
      lastLoadedTime: pipe.lastLoadedAt,
    }),
    last_error: pipe.reason || row.last_error || null,
    created_time: row.created_at.toISOString(),
  }
}

const listedFile = ({ row }: WholePipe, file: PipeFileRow): SystemRow<'pipe_files'> => ({
  database_name: nameForMysql({ catalog: row.catalog, database: row.database_name }),
  pipe_id: row.pipe_id,
  pipe_name: row.name,
  file_name: file.path,
  file_version: file.version,
  file_rows: file.rows_loaded,
  file_size: file.size_bytes,
  last_modified: file.changed_at.toISOString(),
  load_state: FILE_STATES[file.state],
  staged_time: file.seen_at.toISOString(),
  start_load_time: file.started_at?.toISOString() ?? null,
  finish_load_time: file.ended_at?.toISOString() ?? null,
  error_msg: file.error || null,
})

const everyPipe = async (pipes: Pipes, actor: Actor): Promise<readonly WholePipe[]> =>
  (await pipes.list(actor, { offset: 0, limit: LIMITS.pipesPerAccount })).whole

export const pipesOf = async (pipes: Pipes, actor: Actor): Promise<SystemRow<'pipes'>[]> =>
  (await everyPipe(pipes, actor)).map(listedPipe)

/** Of each pipe those that were seen last, and of all no more than `most`. */
export async function pipeFilesOf(
  pipes: Pipes,
  actor: Actor,
  most: number,
): Promise<SystemRow<'pipe_files'>[]> {
  const all = await everyPipe(pipes, actor)
  const ofEach = Math.floor(most / Math.max(1, all.length))
  const listed: SystemRow<'pipe_files'>[] = []
  for (const whole of all) {
    const { rows } = await pipes.files(whole.row, { offset: 0, limit: ofEach })
    listed.push(...rows.map((file) => listedFile(whole, file)))
  }
  return listed
}
