import type { TokenEdits } from '@boathouse/sql'
import { endOfName, nameBetween } from './named-tables.ts'
import { asName } from './names.ts'
import { refuse } from './refusal.ts'
import type { Source } from './source.ts'

const NO_PARTS =
  'INSERT OVERWRITE replaces all rows of a table here, as tables have no partitions. Leave PARTITION and dynamic_overwrite out, or delete the rows first and insert the new ones.'
const IS_DYNAMIC = /\bdynamic_overwrite\s*=\s*(?:true|1|on)\b/i

/** What the rows to be inserted are called. */
const NEW = 'mysql_new'
const REPLACES = 'ON false WHEN NOT MATCHED BY SOURCE THEN DELETE WHEN NOT MATCHED BY TARGET THEN INSERT'

/**
 * INSERT OVERWRITE [TABLE] t [(a, b)] query, as StarRocks has it: the rows of the query instead of those that are there. One
 * statement of the engine deletes and inserts, so that nobody sees a table without rows. False where it is another INSERT.
 */
export function noteOverwrite(source: Source, edits: TokenEdits): boolean {
  const word = source.first + 1
  if (source.word(word) !== 'OVERWRITE') return false
  const first = source.word(word + 1) === 'TABLE' ? word + 2 : word + 1
  const end = endOfName(source, first)
  // What is set for the statement alone is in a comment between the two words.
  const isInParts =
    source.word(end + 1) === 'PARTITION' || IS_DYNAMIC.test(source.written(source.first, word))
  if (isInParts) {
    refuse(source, edits, NO_PARTS)
    return true
  }
  const columns = columnsAt(source, end + 1)
  const last = source.word(source.until - 1) === ';' ? source.until - 2 : source.until - 1
  const table = nameBetween(source, first, end)
  edits.replace(source.first, columns?.closing ?? end, `MERGE INTO ${table} USING (${namedRows(columns)} (`)
  edits.enclose(last, last, { before: '', after: `)) AS ${NEW} ${REPLACES} ${inserted(columns)}` })
  return true
}

interface Columns {
  readonly names: readonly string[]
  readonly closing: number
}

const BEGINS_QUERY = new Set(['SELECT', 'WITH', 'VALUES', '('])

/** A list of columns; null where the query begins. */
function columnsAt(source: Source, opening: number): Columns | null {
  const closing = source.word(opening) === '(' ? source.partner(opening) : -1
  if (closing < 0 || BEGINS_QUERY.has(source.word(opening + 1))) return null
  const names: string[] = []
  for (let at = opening + 1; at < closing; at++)
    if (source.word(at) !== ',') names.push(asName(source.written(at, at)))
  return { names, closing }
}

/** Gives the columns of the query their places for names, and refuses one that has more or fewer than are listed. */
const namedRows = (columns: Columns | null): string =>
  columns
    ? `SELECT ${columns.names.map((_, at) => `NULL AS "${at}"`).join(', ')} WHERE false UNION ALL`
    : 'FROM'

const inserted = (columns: Columns | null): string =>
  columns
    ? `(${columns.names.join(', ')}) VALUES (${columns.names.map((_, at) => `${NEW}."${at}"`).join(', ')})`
    : 'BY POSITION'
