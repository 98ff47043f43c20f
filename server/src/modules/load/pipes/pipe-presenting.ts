import {
  ACTIONS_OF_PIPE_FILE,
  type Pipe,
  type PipeAction,
  type PipeFile,
  type PipeFileState,
  type PipeState,
} from '@boathouse/contract'
import type { PipeFigures, PipeFileRow } from './pipe-file-list-store.ts'
import type { PipeRow } from './pipe-row.ts'

const ACTIONS: Readonly<Record<PipeState, readonly PipeAction[]>> = {
  running: ['suspend', 'retry', 'drop'],
  suspended: ['resume', 'retry', 'drop'],
  finished: ['resume', 'drop'],
  error: ['drop'],
}

const NOT_LOADED: readonly string[] = ['waiting', 'loading']

/** A pipe as pages and programs read it. */
export function presentPipe(row: PipeRow, all: readonly PipeFigures[], now: Date): Pipe {
  const figures = all.filter(({ pipe_id }) => pipe_id === row.pipe_id)
  const of = (state: PipeFileState): number => figures.find((one) => one.state === state)?.files ?? 0
  const loaded = figures.find(({ state }) => state === 'loaded')
  const oldest = figures
    .filter(({ state }) => NOT_LOADED.includes(state))
    .map((one) => one.oldest.getTime())
    .toSorted((one, other) => one - other)[0]
  const failed = of('failed')
  return {
    pipeId: row.pipe_id,
    name: row.name,
    catalog: row.catalog,
    databaseName: row.database_name,
    tableName: row.table_name,
    user: row.user_name,
    path: row.source.path,
    format: row.source.format,
    state: row.state,
    reason: row.state === 'suspended' ? row.reason : '',
    lastError: row.last_error,
    actions: ACTIONS[row.state].filter((action) => action !== 'retry' || failed > 0),
    properties: { ...row.properties },
    statement: row.statement,
    files: {
      waiting: of('waiting'),
      loading: of('loading'),
      loaded: of('loaded'),
      failed,
      skipped: of('skipped'),
    },
    rowsLoaded: loaded?.rows ?? 0,
    bytesLoaded: loaded?.bytes ?? 0,
    lagSeconds: oldest === undefined ? null : Math.max(0, (now.getTime() - oldest) / 1_000),
    lastLoadedAt: loaded?.last_ended?.toISOString() ?? null,
    listedAt: row.listed_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

export const presentFile = (row: PipeFileRow): PipeFile => ({
  fileId: row.file_id,
  path: row.path,
  sizeBytes: row.size_bytes,
  changedAt: row.changed_at.toISOString(),
  state: row.state,
  actions: [...ACTIONS_OF_PIPE_FILE[row.state]],
  attempts: row.attempts,
  error: row.error,
  rowsLoaded: row.rows_loaded,
  rowsRejected: row.rows_rejected,
  queryId: row.query_id,
  seenAt: row.seen_at.toISOString(),
  endedAt: row.ended_at?.toISOString() ?? null,
})
