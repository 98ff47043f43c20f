import { foldedName } from '../../../kernel/same-name.ts'
import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import type { IcebergField } from '../../../kernel/iceberg.ts'
import { OF_FILES } from '../guard/internal-schema.ts'
import { TableRefused } from './manifests.ts'
import { duckdbType } from './types.ts'

interface NamedFile {
  /** Under which DuckDB reads it. */
  readonly url: string
  /** As other files of the table call it. */
  readonly location: string
  readonly sequence: bigint
}

export interface ReadFiles {
  readonly columns: readonly IcebergField[]
  readonly data: readonly NamedFile[]
  readonly deletes: readonly NamedFile[]
  /** Stands for those of an empty table and is never read: by its name it is known whose rights are asked for. */
  readonly none: NamedFile
}

const READ = 'system.main.read_parquet'
/** Columns that DuckDB has for every file, unless the file has them itself. */
const OF_SCAN = ['filename', 'file_row_number']

const listOf = (files: readonly NamedFile[]): string =>
  `[${files.map(({ url }) => quotedString(url)).join(', ')}]`

/** By the ids of columns: so one that was renamed is found, one that was added is empty, one that was dropped is gone. */
const schemaOf = (columns: readonly IcebergField[]): string =>
  `MAP {${columns
    .map(
      ({ id, name, type }) =>
        `${id}: {name: ${quotedString(name)}, type: ${quotedString(duckdbType(type, name))}, default_value: NULL}`,
    )
    .join(', ')}}`

const namesOf = (columns: readonly IcebergField[]): string =>
  columns.map(({ name }) => quotedIdentifier(name)).join(', ')

const values = (files: readonly NamedFile[]): string =>
  files
    .map(
      ({ url, location, sequence }) =>
        `(${quotedString(url)}, ${quotedString(location)}, ${sequence}::BIGINT)`,
    )
    .join(', ')

function withoutDeleted({ columns, data, deletes }: ReadFiles): string {
  const taken = columns.find(({ name }) => OF_SCAN.includes(foldedName(name)))
  if (taken)
    throw new TableRefused(
      `rows of it are deleted, and its column ${taken.name} has a name by which these would be found`,
    )
  // A file that lists deleted rows has its columns by these names, in every version of the format.
  return `SELECT ${namesOf(columns)}
   FROM (SELECT ${namesOf(columns)}, filename, file_row_number FROM ${READ}(${listOf(data)}, schema = ${schemaOf(columns)})) AS ${OF_FILES}
   WHERE NOT EXISTS (
     SELECT 1 FROM (SELECT file_path, pos, filename FROM ${READ}(${listOf(deletes)}, hive_partitioning = false, union_by_name = true)) AS gone
     JOIN (VALUES ${values(deletes)}) AS listed(url, location, sequence) ON listed.url = gone.filename
     JOIN (VALUES ${values(data)}) AS kept(url, location, sequence) ON kept.location = gone.file_path
     WHERE kept.url = ${OF_FILES}.filename AND gone.pos = ${OF_FILES}.file_row_number AND kept.sequence <= listed.sequence)`
}

/** All rows of a table. */
export function readingOf(files: ReadFiles): string {
  const { columns, data, deletes, none } = files
  if (data.length > 0 && deletes.length > 0) return withoutDeleted(files)
  const reading = `SELECT ${namesOf(columns)} FROM ${READ}(${listOf(data.length > 0 ? data : [none])}, schema = ${schemaOf(columns)}) AS ${OF_FILES}`
  return data.length > 0 ? reading : `${reading} WHERE false`
}
