import { quoteIdentifier, quoteString } from '@boathouse/sql'
import type { FileColumn, FileReading, LoadOrder, LoadWrites } from '../../engines/engine/files.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { FileEnd } from './file-runs.ts'
import type { TaskRow } from './task-store.ts'
import type { TaskRunParts } from './task-runs.ts'

/** The request of the attempt that is running. */
export interface Sent {
  requestId: string
  progress: number | null
}

export const requestOf = (taskId: string, attempt: number): string => `load-${taskId}-${attempt}`

const VERB = 'LOAD FILE '

const WORDS: Readonly<Record<string, string>> = { replace: ' REPLACE', upsert: ' UPSERT' }

/** What the history says of a run. */
function textOf(row: TaskRow): string {
  const table = [row.catalog, row.database_name, row.table_name].map(quoteIdentifier).join('.')
  const { mode, keys = [] } = writesOf(row)
  const by = keys.length > 0 ? ` BY (${keys.map(quoteIdentifier).join(', ')})` : ''
  return `${VERB}${quoteString(row.file_name)}${WORDS[mode] ?? ''} INTO ${table}${by}`
}

const writesOf = ({ writes, keys }: TaskRow): LoadWrites & { keys?: readonly string[] } =>
  writes === 'upsert'
    ? { mode: 'upsert', keys: keys as string[] }
    : { mode: writes === 'replace' ? 'replace' : 'append' }

const orderOf = (row: TaskRow, uploadId: string): LoadOrder => ({
  does: 'load',
  file: uploadId,
  reading: row.reading as FileReading,
  columns: row.columns as FileColumn[],
  table: { catalog: row.catalog, database: row.database_name, name: row.table_name },
  makesTable: row.makes_table,
  writes: writesOf(row),
  mostRejected: row.most_rejected,
  widens: row.widens,
})

/** Sends one attempt of a load task, under a request id of its own. */
export function createTaskRequests({
  store,
  runFile,
  findRequest,
  log,
}: Pick<TaskRunParts, 'store' | 'runFile' | 'findRequest' | 'log'>) {
  /** A request is known by its text as well, and its catalog may have another name since it was sent. */
  async function textFor(row: TaskRow, requestId: string): Promise<string> {
    const [sent] = await findRequest(row.account_id, requestId)
    return sent?.sql.startsWith(VERB) ? sent.sql : textOf(row)
  }

  return async function send(
    row: TaskRow,
    actor: Actor,
    { attempt, known }: { attempt: number; known: Sent | undefined },
  ): Promise<FileEnd> {
    const requestId = requestOf(row.task_id, attempt)
    if (known) known.requestId = requestId
    const text = await textFor(row, requestId)
    let isBegun = false
    return runFile(actor, {
      requestId,
      text,
      order: orderOf(row, row.upload_id ?? ''),
      // Whatever it is called when the run begins.
      catalog: row.catalog_id,
      database: row.database_name,
      warehouseId: row.warehouse_id,
      onAnswer: ({ state, queuePlace, progress, queryId }) => {
        if (known) known.progress = progress?.percentage ?? known.progress
        if (isBegun || state !== 'running' || queuePlace !== null) return
        isBegun = true
        store
          .change(row.task_id, 'begun', { query_id: queryId })
          .catch((error: unknown) => log.warn({ err: error }, 'a load task does not show that it runs'))
      },
    })
  }
}
