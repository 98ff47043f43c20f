import { quotedIdentifier, quotedString } from '@duckdb/node-api'
import { foldedName } from '../../../kernel/same-name.ts'
import { type CsvForm, type HiveColumn, type HiveTable, NULL_PARTITION } from '../../../kernel/hive-table.ts'
import { OF_FILES, readMark } from '../guard/internal-schema.ts'
import { fieldOf } from './json-values.ts'
import { type HiveType, hiveType, TypeRefused, writtenType } from './types.ts'

const READ_PARQUET = 'system.main.read_parquet'
const READ_CSV = 'system.main.read_csv'
const READ_JSON = 'system.main.read_json_objects'

/** A column that every file has for DuckDB: under this name alone, files are left out by a filter on it. */
const FILE = 'filename'

interface TypedColumn {
  readonly name: string
  readonly type: HiveType
}

export interface HiveReading {
  readonly columns: readonly TypedColumn[]
  readonly partitionColumns: readonly TypedColumn[]
  readonly format: HiveTable['format']
}

// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u001f\u007f]/

const typedColumn = ({ name, type }: HiveColumn): TypedColumn => ({ name, type: hiveType(type, name) })

function requireNames(columns: readonly TypedColumn[]): void {
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (name === '' || CONTROL.test(name))
      throw new TypeRefused(`its column ${JSON.stringify(name)} has a name that is not allowed`)
    if (seen.has(foldedName(name))) throw new TypeRefused(`it has two columns with the name ${name}`)
    seen.add(foldedName(name))
  }
}

const isOfText = ({ type }: TypedColumn): boolean => type.kind === 'plain' && writtenType(type) !== 'BLOB'

const hasBytes = (type: HiveType): boolean => {
  if (type.kind === 'plain') return writtenType(type) === 'BLOB'
  if (type.kind === 'array') return hasBytes(type.element)
  if (type.kind === 'map') return hasBytes(type.key) || hasBytes(type.value)
  return type.fields.some(([, part]) => hasBytes(part))
}

/** What this engine reads of a table. Throws a `TypeRefused`. */
export function hiveReading({ columns, partitionColumns, format }: HiveTable): HiveReading {
  const own = columns.map(typedColumn)
  const ofPartitions = partitionColumns.map(typedColumn)
  requireNames([...own, ...ofPartitions])
  const refused = (kind: string, column: TypedColumn | undefined) => {
    if (!column) return
    const { type } = columns.find(({ name }) => name === column.name) ?? { type: '' }
    throw new TypeRefused(`its column ${column.name} has the type ${type}, which is not read from ${kind}`)
  }
  if (format.kind === 'csv')
    refused(
      'CSV',
      own.find((column) => !isOfText(column)),
    )
  if (format.kind === 'json')
    refused(
      'JSON',
      own.find(({ type }) => hasBytes(type)),
    )
  const odd = ofPartitions.find((column) => !isOfText(column))
  if (odd) throw new TypeRefused(`its partition column ${odd.name} has a type that no name of a folder holds`)
  const taken = own.find(({ name }) => foldedName(name) === FILE)
  if (taken && ofPartitions.length > 0 && format.kind === 'parquet')
    throw new TypeRefused(`it has partitions, and a column ${taken.name}, by which these would be found`)
  return { columns: own, partitionColumns: ofPartitions, format }
}

/** The name of a folder that holds a value, in characters that no address and no path changes. */
export const folderOf = (value: string): string => `v${Buffer.from(value, 'utf8').toString('hex')}`

/** The value that is in a part of the name of the file. */
const partitionValue = ({ name, type }: TypedColumn, part: number): string =>
  `CAST(NULLIF(decode(from_hex(substr(split_part(${FILE}, '/', ${part}), 2))), ${quotedString(NULL_PARTITION)}) AS ${writtenType(type)}) AS ${quotedIdentifier(name)}`

const listOf = (files: readonly string[]): string => `[${files.map(quotedString).join(', ')}]`

/** Columns by their names: one that a file lacks is empty, and one that the table lacks is left out. */
const schemaOf = (columns: readonly TypedColumn[]): string =>
  `MAP {${columns
    .map(({ name, type }) => {
      const written = quotedString(name)
      return `${written}: {name: ${written}, type: ${quotedString(writtenType(type))}, default_value: NULL}`
    })
    .join(', ')}}`

/** Nothing that a file could hold. */
const NO_NULL = '\u0002no null\u0002'

/** Text is never cast to itself; what is empty is nothing to other types. */
function csvValue({ name, type }: TypedColumn, { at, form }: { at: number; form: CsvForm }): string {
  const written = writtenType(type)
  const read = `c${at}`
  // A quote in quotes may be written twice, whatever else escapes it.
  const value =
    form.quote !== '' && form.escape !== form.quote
      ? `replace(${read}, ${quotedString(form.quote.repeat(2))}, ${quotedString(form.quote)})`
      : read
  const typed = written === 'VARCHAR' ? value : `CAST(NULLIF(trim(${value}), '') AS ${written})`
  return `${typed} AS ${quotedIdentifier(name)}`
}

/** By the places of columns, as Hive does: a line that is too short ends in nothing, and what is too much is left out. */
function csvSource(columns: readonly TypedColumn[], form: CsvForm, files: readonly string[]): string {
  const read = columns.map((_, at) => `c${at}: 'VARCHAR'`).join(', ')
  const options = [
    `columns = {${read}}`,
    `delim = ${quotedString(form.delimiter)}`,
    `quote = ${quotedString(form.quote)}`,
    `escape = ${quotedString(form.escape)}`,
    `skip = ${form.skippedLines}`,
    `nullstr = ${quotedString(form.nullText ?? NO_NULL)}`,
    'header = false',
    'auto_detect = false',
    'null_padding = true',
    'strict_mode = false',
    'hive_partitioning = false',
    'filename = true',
    // Else a line feed in quotes would be an error.
    ...(form.quote === '' ? [] : ['parallel = false']),
  ]
  return `${READ_CSV}(${listOf(files)}, ${options.join(', ')})`
}

interface ReadFiles {
  /** By which DuckDB reads them. */
  readonly files: readonly string[]
  /** In front of the folders of partitions in the name of each file, parts with a slash behind them. */
  readonly partsBefore: number
  /** Stands for those of an empty table and is never read: by its name it is known whose rights are asked for. */
  readonly none: string
}

/** All rows of a table. */
export function readingOf(
  { columns, partitionColumns, format }: HiveReading,
  { files, partsBefore, none }: ReadFiles,
): string {
  const ofPartitions = partitionColumns.map((column, at) => partitionValue(column, partsBefore + 1 + at))
  const from = (values: readonly string[], source: string) =>
    `SELECT ${[...values, ...ofPartitions].join(', ')} FROM ${source} AS ${OF_FILES}`
  if (files.length === 0) {
    const all = [...columns, ...partitionColumns]
    const names = all.map(({ name }) => quotedIdentifier(name)).join(', ')
    return `SELECT ${names} FROM ${READ_PARQUET}(${listOf([none])}, schema = ${schemaOf(all)}) AS ${OF_FILES} WHERE false`
  }
  if (format.kind === 'csv')
    return from(
      columns.map((column, at) => csvValue(column, { at, form: format })),
      csvSource(columns, format, files),
    )
  if (format.kind === 'json')
    return from(
      columns.map((column) => `${fieldOf('json', column)} AS ${quotedIdentifier(column.name)}`),
      `${READ_JSON}(${listOf(files)}, format = 'newline_delimited', ignore_errors = ${format.ignoresMalformed}, hive_partitioning = false, filename = true)`,
    )
  const withFile = ofPartitions.length > 0 ? ', filename = true' : ''
  return from(
    columns.map(({ name }) => quotedIdentifier(name)),
    `${READ_PARQUET}(${listOf(files)}, schema = ${schemaOf(columns)}${withFile})`,
  )
}

/** A table whose files were not looked at: its columns are shown, and a statement that reads it fails. */
export function unlistedOf(
  columns: readonly { readonly name: string; readonly written: string }[],
  { catalog, database, name }: { readonly catalog: string; readonly database: string; readonly name: string },
): string {
  const why = quotedString(
    `The table ${database}.${name} of the catalog ${catalog} was not looked at, because the statement does not name it. Write its name in the statement.`,
  )
  const values = columns.map(
    (one) => `CAST(error(${why}) AS ${one.written}) AS ${quotedIdentifier(one.name)}`,
  )
  const mark = quotedString(readMark({ catalog, schema: database, name }))
  return `SELECT ${values.join(', ')} FROM (SELECT ${mark}) AS ${OF_FILES} WHERE CAST(error(${why}) AS BOOLEAN)`
}
