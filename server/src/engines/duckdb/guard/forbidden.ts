import { type DuckDBConnection, StatementType } from '@duckdb/node-api'
import { readStatement } from '@boathouse/sql'
import { prepareCompound } from '../session/compound.ts'
import { StatementRefused } from '../errors.ts'
import { afterWord, blankLength, firstWord } from './first-words.ts'

const { ATTACH, COPY, COPY_DATABASE, DETACH, EXECUTE, EXPLAIN, EXPORT, EXTENSION, LOAD, PREPARE } =
  StatementType

/**
 * What no statement of any user may do here. DuckDB's settings leave the account's own file open to COPY, which can
 * overwrite it; EXECUTE would run a text that nobody has checked.
 */
const FORBIDDEN: ReadonlyMap<StatementType, string> = new Map([
  [COPY, 'COPY is not available: files of the server cannot be read or written.'],
  [COPY_DATABASE, 'COPY FROM DATABASE is not available.'],
  [EXPORT, 'EXPORT DATABASE is not available: files of the server cannot be written.'],
  [ATTACH, 'ATTACH is not available: catalogs are created by the service.'],
  [DETACH, 'DETACH is not available: catalogs are removed by the service.'],
  [LOAD, 'Extensions cannot be installed or loaded.'],
  [EXTENSION, 'Extensions cannot be installed or loaded.'],
  [StatementType.UPDATE_EXTENSIONS, 'Extensions cannot be updated.'],
  [PREPARE, 'PREPARE is not available. Send the statement itself.'],
  [EXECUTE, 'EXECUTE is not available. Send the statement itself.'],
])

export function refuseForbidden(type: StatementType): void {
  const why = FORBIDDEN.get(type)
  if (why) throw new StatementRefused({ kind: 'permission', message: why })
}

const BEFORE_SECRET = /^(?:create|drop|or|replace|persistent|temporary|temp)\b/i

/** They are CREATE and DROP to DuckDB, as of a table. With httpfs there are kinds of them that would lead traffic elsewhere. */
export function refuseSecrets(sql: string): void {
  for (const text of [sql, ...explainedTexts(sql)]) {
    let rest = text
    for (let next = afterWord(rest, BEFORE_SECRET); next !== null; next = afterWord(rest, BEFORE_SECRET))
      rest = next
    if (rest === text || afterWord(rest, /^secret\b/i) === null) continue
    const message = 'Secrets are not available: the service stores the keys of external catalogs.'
    throw new StatementRefused({ kind: 'permission', message })
  }
}

/** Settings that the host changes while it runs, some of them for one session. DuckDB would let everybody change them. */
const OF_THE_HOST =
  /threads|memory_limit|max_memory|profiling|search_path|transaction_invalidation|collation|null_order|default_order|calendar|ieee_floating/i

/** Refused wherever such a name stands: no value is worth telling it from one. */
export function refuseHostSettings(sql: string, type: StatementType): void {
  if (type !== StatementType.SET && type !== StatementType.PRAGMA) return
  const isVariable = afterWord(afterWord(sql, /^(?:re)?set\b/i) ?? '', /^variable\b/i) !== null
  if (isVariable || firstWord(sql) === 'USE' || !OF_THE_HOST.test(sql)) return
  const message = 'The service sets threads, memory, profiling, search path and ordering of the engine.'
  throw new StatementRefused({ kind: 'permission', message })
}

/** EXPLAIN ANALYZE runs what it explains. */
export async function explainedType(connection: DuckDBConnection, sql: string): Promise<StatementType> {
  for (const text of explainedTexts(sql)) {
    const type = await typeOf(connection, text)
    if (type !== null && type !== EXPLAIN) return type
  }
  const message = 'This EXPLAIN is not supported. Write EXPLAIN, its options and one statement.'
  throw new StatementRefused({ kind: 'permission', message })
}

async function typeOf(connection: DuckDBConnection, sql: string): Promise<StatementType | null> {
  try {
    const { count } = await connection.extractStatements(sql)
    const prepared = await (count > 1 ? prepareCompound(connection, sql) : connection.prepare(sql))
    const type = prepared.statementType
    prepared.destroySync()
    return type
  } catch {
    // Not a complete statement, hence not the explained one; nothing is allowed because of this.
    return null
  }
}

/** By our own reading, for which every option that is not known to be harmless is one; or by the word alone. */
export function isAnalysed(sql: string): boolean {
  const explained = explainedTexts(sql).at(-1) ?? ''
  const isNamed = /\banaly[sz]e\b/i.test(sql.slice(0, sql.length - explained.length))
  return isNamed || readStatement(sql).explained?.analyze !== false
}

/** What may be the explained statement: with and without the options in brackets. */
export function explainedTexts(sql: string): string[] {
  let rest = afterWord(sql, /^explain\b/i)
  if (rest === null) return []
  rest = afterWord(rest, /^analy[sz]e\b/i) ?? rest
  rest = afterWord(rest, /^verbose\b/i) ?? rest
  rest = rest.slice(blankLength(rest))
  const withoutOptions = afterWord(rest, /^\([^()'"$;/-]*\)/)
  return withoutOptions === null ? [rest] : [rest, withoutOptions]
}
