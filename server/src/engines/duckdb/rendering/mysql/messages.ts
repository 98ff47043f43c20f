import { keywordAt, offsetOf, readStatement } from '@boathouse/sql'
import type { EngineError, Outcome } from '../../../engine/outcome.ts'
import type { Written } from '../../../engine/written.ts'

/** How DuckDB says that there is no such column: its name, or that of the table and its own. */
const MISSING_COLUMN = [
  /^Referenced (?:update )?column "?(.+?)"? not found in/,
  /^Column "(.+?)" referenced that exists in the SELECT clause/,
  /^Table ".+?" does not have a column with name "(.+?)"/,
  /^(?:Table|Values list) "(.+?)" does not have a column named "(.+?)"/,
]

/** What the other server calls the part of a statement that begins with a word. */
const CLAUSES: Readonly<Record<string, string>> = {
  GROUP: 'group statement',
  HAVING: 'having clause',
  ON: 'on clause',
  ORDER: 'order clause',
  SELECT: 'field list',
  SET: 'field list',
  WHERE: 'where clause',
}

/** In which part of the statement something stands. */
function clauseAt(text: string, offset: number | undefined, { quotes }: Written): string {
  const statement = readStatement(text, quotes)
  let clause = 'field list'
  for (let at = statement.first; at < statement.until; at++) {
    if (offset === undefined || offsetOf(statement, at) >= offset) break
    const word = keywordAt(statement, at)
    if (Object.hasOwn(CLAUSES, word) && keywordAt(statement, at - 1) !== '.') clause = CLAUSES[word] ?? clause
  }
  return clause
}

const NO_KEY = /^There are no UNIQUE\/PRIMARY KEY constraints/
const SEVERAL_KEYS = /^Conflict target has to be provided/

/** What is done with a row whose key is there, of a table that has none, or several. */
function keysInTheirWords(error: EngineError): EngineError | null {
  const because = NO_KEY.test(error.message)
    ? 'ON DUPLICATE KEY UPDATE is available for tables with a key, and this one has none. Use INSERT alone.'
    : SEVERAL_KEYS.test(error.message)
      ? 'REPLACE and ON DUPLICATE KEY UPDATE are not available for tables with several keys. Delete the rows first, then insert them.'
      : null
  return because === null ? null : { ...error, kind: 'permission', message: because, code: 'not-supported' }
}

function inTheirWords(error: EngineError, text: string, written: Written): EngineError {
  const aboutKeys = keysInTheirWords(error)
  if (aboutKeys) return aboutKeys
  if (error.code !== 'missing-column') return error
  for (const form of MISSING_COLUMN) {
    const parts = form.exec(error.message)?.slice(1)
    if (!parts) continue
    const message = `Unknown column '${parts.join('.')}' in '${clauseAt(text, error.offset, written)}'`
    return { ...error, message }
  }
  return error
}

/** The end of a statement in MySQL's words as its clients know it: some of them read the message. */
export function toldInTheirWords(outcome: Outcome, text: string, written: Written | undefined): Outcome {
  if (outcome.state !== 'failed' || !written || (written.words ?? 'engine') === 'engine') return outcome
  return { ...outcome, error: inTheirWords(outcome.error, text, written) }
}
