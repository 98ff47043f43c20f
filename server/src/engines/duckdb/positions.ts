import type { ErrorReport, FailedText } from './errors.ts'

/**
 * Place of an error in the user's text as a UTF-16 offset. DuckDB's parser counts characters, everything
 * behind the parser counts bytes, and both count in a text whose wide spaces became plain ones.
 */
export function offsetOf(report: ErrorReport, text: FailedText): number | null {
  if (report.position === null) return null
  const position = report.position - text.shift
  if (position < 0) return null
  return report.type === 'Parser'
    ? afterCharacters(text.sql, position)
    : afterBytes(asDuckDbReads(text.sql), position)
}

function afterCharacters(sql: string, count: number): number | null {
  let offset = 0
  for (let left = count; left > 0; left--) {
    if (offset >= sql.length) return null
    offset += width(sql, offset)
  }
  return offset
}

function afterBytes(sql: string, count: number): number | null {
  let offset = 0
  for (let left = count; left > 0;) {
    if (offset >= sql.length) return null
    const step = width(sql, offset)
    left -= Buffer.byteLength(sql.slice(offset, offset + step))
    offset += step
  }
  return offset
}

function width(sql: string, offset: number): number {
  return (sql.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
}

const WIDE_SPACE = /[\u00a0\u2000-\u200d\u202f\u205f\u3000\ufeff]/g
// Texts in which DuckDB leaves wide spaces alone; block comments are not among them.
const KEPT = /'(?:[^']|'')*'?|"(?:[^"]|"")*"?|--[^\n\r]*|\$(\w*)\$[\s\S]*?\$\1\$/g

/** Same length in UTF-16, so that an offset found in it holds in the original too. */
function asDuckDbReads(sql: string): string {
  if (sql.search(WIDE_SPACE) < 0) return sql
  let read = ''
  let from = 0
  for (const kept of sql.matchAll(KEPT)) {
    read += sql.slice(from, kept.index).replace(WIDE_SPACE, ' ') + kept[0]
    from = kept.index + kept[0].length
  }
  return read + sql.slice(from).replace(WIDE_SPACE, ' ')
}
