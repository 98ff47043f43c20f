import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { TableRefused } from './manifests.ts'

export interface UncertainFile {
  readonly url: string
  /** Of columns that it must have. */
  readonly identities: readonly number[]
}

const MOST = 500

/** What a Parquet file says of its columns, from the outermost on, each before its parts. */
interface FileColumn {
  readonly parts: number
  readonly id: number | null
}

/** Of the columns themselves, without those of their parts. */
function outermostIds([root, ...columns]: readonly FileColumn[]): (number | null)[] {
  const ids: (number | null)[] = []
  let at = 0
  for (let count = 0; count < (root?.parts ?? 0); count++) {
    ids.push(columns[at]?.id ?? null)
    for (let left = 1; left > 0 && at < columns.length; at++) left += (columns[at]?.parts ?? 0) - 1
  }
  return ids
}

async function columnsIn(
  connection: DuckDBConnection,
  files: readonly UncertainFile[],
): Promise<Map<unknown, FileColumn[]>> {
  const list = files.map(({ url }) => quotedString(url)).join(', ')
  const found = await connection.runAndReadAll(
    `SELECT file_name, num_children, field_id FROM system.main.parquet_schema([${list}]) ORDER BY file_name, column_id`,
  )
  const columns = new Map<unknown, FileColumn[]>()
  for (const [url, parts, id] of found.getRowsJson()) {
    const of = columns.get(url) ?? []
    of.push({ parts: Number(parts ?? 0), id: id === null || id === undefined ? null : Number(id) })
    columns.set(url, of)
  }
  return columns
}

/**
 * A file whose columns have no ids would be read as if all of them were empty, and so would a column that lies in the name of
 * the partition alone, and all that stand behind the first one without an id. Throws a `TableRefused` when one of these is
 * such a file.
 */
export async function requireIds(
  connect: () => Promise<DuckDBConnection>,
  files: readonly UncertainFile[],
): Promise<void> {
  if (files.length > MOST)
    throw new TableRefused(
      `more than ${MOST} of its files were added from elsewhere and would have to be looked into; rewrite its data files, and it is read`,
    )
  const connection = await connect()
  try {
    const columns = await columnsIn(connection, files)
    for (const { url, identities } of files) {
      const ids = outermostIds(columns.get(url) ?? [])
      const read = ids.includes(null) ? ids.slice(0, ids.indexOf(null)) : ids
      if (read.length === 0 || ids.slice(read.length).some((id) => id !== null))
        throw new TableRefused(
          'the columns of its files have no ids, as of files that were added from elsewhere; rewrite its data files, and it is read',
        )
      if (!identities.every((id) => read.includes(id)))
        throw new TableRefused(
          'its files do not have the columns of its partitions in them; rewrite its data files, and it is read',
        )
    }
  } finally {
    connection.closeSync()
  }
}
