import { type DuckDBConnection, quotedString } from '@duckdb/node-api'
import { TableRefused } from './manifests.ts'

export interface UncertainFile {
  readonly url: string
  /** Of columns that it must have. */
  readonly identities: readonly number[]
}

const MOST = 500

/**
 * A file whose columns have no ids would be read as if all of them were empty, and so would a column that lies in the name of
 * the partition alone. Throws a `TableRefused` when one of these is such a file.
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
    const list = files.map(({ url }) => quotedString(url)).join(', ')
    const found = await connection.runAndReadAll(
      `SELECT file_name, list(field_id) FILTER (field_id IS NOT NULL) FROM system.main.parquet_schema([${list}]) GROUP BY file_name`,
    )
    const ids = new Map(
      found.getRowsJson().map(([url, of]) => [url, new Set(((of ?? []) as unknown[]).map(Number))]),
    )
    for (const { url, identities } of files) {
      const has = ids.get(url)
      if (!has || has.size === 0)
        throw new TableRefused(
          'the columns of its files have no ids, as of files that were added from elsewhere; rewrite its data files, and it is read',
        )
      if (!identities.every((id) => has.has(id)))
        throw new TableRefused(
          'its files do not have the columns of its partitions in them; rewrite its data files, and it is read',
        )
    }
  } finally {
    connection.closeSync()
  }
}
