import type { LoadData } from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import { CSV_READING, readSeparator } from './stream-format.ts'
import type { StreamOptions } from './stream-options.ts'
import type { StreamTarget } from './stream-target.ts'

const DAY_MS = 24 * 3_600_000

const refuse = (what: string) =>
  new AppError('QueryFailed', `LOAD DATA: ${what}`, { detail: 'not-supported' })

const CHARACTER_SETS = new Set(['utf8', 'utf8mb3', 'utf8mb4', 'ascii', 'binary'])

/** What stream load does not do is refused: left out, it would load something else. */
function requireReadable({
  isLocal,
  onDuplicate,
  characterSet,
  fields,
  lines,
  columns,
  set,
}: LoadData): void {
  if (!isLocal) throw refuse('Only LOCAL files can be loaded: the client sends them.')
  if (onDuplicate === 'replace') throw refuse('REPLACE is not available. Rows are inserted.')
  if (characterSet !== null && !CHARACTER_SETS.has(characterSet.toLowerCase()))
    throw refuse(`The character set ${characterSet} is not available. Send the file as utf8mb4.`)
  if (lines.startingBy) throw refuse('LINES STARTING BY is not available.')
  if (set.some(({ expression }) => expression?.includes('@')))
    throw refuse('SET cannot use variables here. Load the value into a column and compute with that.')
  if (columns === null && set.length > 0) throw refuse('Name the columns of the file before SET.')
  const { escapedBy } = fields
  if (escapedBy && escapedBy !== '\\' && escapedBy !== '\\\\' && escapedBy !== fields.enclosedBy)
    throw refuse('ESCAPED BY is the backslash, or what encloses values.')
}

/** Where the connection of a MySQL client is. */
export interface LoadPlace {
  readonly catalog: string
  readonly database: string | null
  /** Its name; null for the default one. */
  readonly warehouse: string | null
}

function tableIn(place: LoadPlace, { table: path }: LoadData): StreamTarget {
  const [table = '', database = place.database, catalog = place.catalog] = path.toReversed()
  if (database === null)
    throw new AppError('QueryFailed', 'LOAD DATA: Name the database of the table, or USE one.', {
      detail: 'missing-database',
    })
  return { catalog, database, table }
}

/** Where a file of a MySQL client goes, and how it is read. Rows with values that do not fit are left out and reported. */
export function streamOfLoadData(
  data: LoadData,
  place: LoadPlace,
): { readonly target: StreamTarget; readonly options: StreamOptions } {
  requireReadable(data)
  const { fields, lines, skipped, columns, set } = data
  const quote = fields.enclosedBy ? readSeparator('enclose', fields.enclosedBy) : ''
  const delimiter = lines.terminatedBy ? readSeparator('row_delimiter', lines.terminatedBy) : '\n'
  const named = columns?.map(({ name, isVariable }) => ({
    name: isVariable ? `_${name}` : name,
    expression: null,
  }))
  return {
    target: tableIn(place, data),
    options: {
      label: null,
      part: {
        reading: {
          ...CSV_READING,
          delimiter: readSeparator('column_separator', fields.terminatedBy || '\t'),
          quote,
          escape: quote,
          skip: skipped,
        },
        columns: named ? [...named, ...set] : null,
        json: { paths: null, root: null, stripsArray: false },
        trims: false,
        where: null,
        mostFiltered: 1,
        isStrict: true,
        timeZone: null,
        reported: 100,
      },
      rowDelimiter: ['\n', '\r\n', '\r'].includes(delimiter) ? null : delimiter,
      compression: null,
      isArrow: false,
      timeoutMs: DAY_MS,
      warehouse: place.warehouse,
      merges: false,
      mergeMs: 100,
    },
  }
}
