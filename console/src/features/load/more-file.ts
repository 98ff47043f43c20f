import type { Sent } from '@boathouse/contract/call'
import { type Inspection, load, type LoadColumn, type LoadTask, type Reading } from '@boathouse/contract/load'
import { foldedName } from '@boathouse/contract/same-name'
import { schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import type { TableColumn } from './chosen-columns.ts'
import { uploadFile, wait } from './upload-file.ts'
import { writtenOf } from './written-values.ts'

/** How the first file of several was read and loaded; the others follow it. */
export interface FirstLoad {
  readonly fileName: string
  readonly reading: Reading
  readonly order: Omit<Sent<typeof load.create>, 'taskId'>
}

export type MoreState =
  | { readonly state: 'waiting' | 'reading' | 'loading' }
  | { readonly state: 'uploading'; readonly percent: number }
  | { readonly state: 'loaded'; readonly rows: number }
  | { readonly state: 'failed'; readonly error: string }

/** What is wrong with a file, in words for its user. */
export class NotLoaded extends Error {
  override readonly name = 'NotLoaded'
}

const LOOK_EVERY_MS = 500
const AS_ASKED = { silent: true } as const

/** As the first file was found to be: each on its own, two files could be read by two orders of day and month. */
export const readingLikeFirst = (asked: Reading, { reading, detected }: Inspection): Reading => {
  const written = writtenOf(asked.written)
  const date = written.date ?? detected.date
  const timestamp = written.timestamp ?? detected.timestamp
  const isSaid = asked.written !== null || date !== null || timestamp !== null
  return { ...reading, sheet: asked.sheet, written: isSaid ? { ...written, date, timestamp } : null }
}

/** The columns of a file go where those of the same names of the first file went; in the types of the table. */
function columnsLikeFirst(
  found: Inspection['columns'],
  { fileName, order }: FirstLoad,
  table: readonly TableColumn[],
): LoadColumn[] {
  const first = new Map(order.columns.map((column) => [column.name, column]))
  const names = new Set(found.map(({ name }) => name))
  const missing = [...first.keys()].filter((name) => !names.has(name))
  const added = found.flatMap(({ name }) => (first.has(name) ? [] : [name]))
  if (missing.length > 0 || added.length > 0)
    throw new NotLoaded(
      [
        t('load.more.differs', { name: fileName }),
        missing.length > 0 && t('load.more.missing', { names: missing.join(', ') }),
        added.length > 0 && t('load.more.added', { names: added.join(', ') }),
        t('load.more.onItsOwn'),
      ]
        .filter(Boolean)
        .join(' '),
    )
  const types = new Map(table.map(({ name, type }) => [foldedName(name), type]))
  return found.map(({ name, type }) => {
    const { into = null, misfits = 'reject' } = first.get(name) ?? {}
    return { name, type: (into !== null && types.get(foldedName(into))) || type, into, misfits }
  })
}

async function inspected(uploadId: string, first: FirstLoad, signal: AbortSignal): Promise<Inspection> {
  const { warehouseId } = first.order
  const asked = { ...AS_ASKED, signal }
  let { inspection } = await send(load.inspect, { uploadId, warehouseId, reading: first.reading }, asked)
  while (inspection?.state === 'running') {
    await wait(LOOK_EVERY_MS, signal)
    inspection = (await send(load.upload, { uploadId }, asked)).inspection
  }
  if (inspection?.state !== 'finished') throw new NotLoaded(inspection?.error ?? '')
  return inspection
}

const isOver = ({ state }: LoadTask): boolean =>
  state === 'finished' || state === 'failed' || state === 'cancelled'

interface Loading {
  /** The same for each attempt whose outcome is not known, so that a file is not loaded twice. */
  readonly taskId: string
  readonly signal: AbortSignal
  readonly onChange: (state: MoreState) => void
}

/** Uploads a file, reads it as the first one, and loads it into the same table. Returns its task when that is over. */
export async function loadMore(
  file: File,
  first: FirstLoad,
  { taskId, signal, onChange }: Loading,
): Promise<LoadTask> {
  const asked = { ...AS_ASKED, signal }
  onChange({ state: 'uploading', percent: 0 })
  const { uploadId } = await uploadFile(file, {
    signal,
    onProgress: (sent) => onChange({ state: 'uploading', percent: Math.floor((100 * sent) / file.size) }),
    onWaiting: () => undefined,
  })
  onChange({ state: 'reading' })
  const { columns } = await inspected(uploadId, first, signal)
  const { catalog, databaseName, tableName, writes } = first.order
  const table = await send(schema.columns, { catalog, databaseName, tableName }, asked)
  const order = {
    ...first.order,
    uploadId,
    columns: columnsLikeFirst(columns, first, table.columns),
    makesTable: false,
    // What the first file has put in place stays.
    writes: writes === 'replace' ? ('append' as const) : writes,
  }
  let task = await send(load.create, { taskId, ...order }, asked)
  onChange({ state: 'loading' })
  while (!isOver(task)) {
    await wait(LOOK_EVERY_MS, signal)
    task = await send(load.describe, { taskId }, asked)
  }
  return task
}
