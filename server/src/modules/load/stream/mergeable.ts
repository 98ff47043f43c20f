import type { FileReading } from '../../../engines/engine/files.ts'
import type { LiveLoad } from './live-load.ts'

export const LINE_BREAK = 0x0a

/** Rows in data whose rows are lines; empty lines do not count. */
export function rowsIn(data: Buffer): number {
  let rows = 0
  for (let from = 0; from < data.length;) {
    const found = data.indexOf(LINE_BREAK, from)
    const end = found < 0 ? data.length : found
    const isEmpty = end === from || (end === from + 1 && data[from] === 0x0d)
    if (!isEmpty) rows++
    from = end + 1
  }
  return rows
}

/** Every value that is opened in it is closed in it: otherwise it could take rows of the next one for its own. */
function closesQuotes({ quote, escape }: FileReading, data: Buffer): boolean {
  if (!quote) return true
  const mark = quote.charCodeAt(0)
  const found = data.reduce((sum, byte) => (byte === mark ? sum + 1 : sum), 0)
  return found === 0 || (escape === quote && found % 2 === 0)
}

/** What can stand in one file with others: rows by lines, all of them read alike, and nothing to be counted apart. */
export function isMergeable({ options: { part, merges } }: LiveLoad, data: Buffer): boolean {
  const { reading, where, json, trims } = part
  if (merges === false || where !== null || trims || data.length === 0) return false
  if (reading.format === 'csv') return reading.skip === 0 && closesQuotes(reading, data)
  return reading.format === 'json' && json.paths === null && json.root === null && data[0] === 0x7b
}

/** Loads of one user into one table, read in the same way. Rights and warehouse are the same, too. */
export const mergeKeyOf = ({ actor, target, options: { part, mergeMs } }: LiveLoad): string =>
  JSON.stringify([actor.accountId, actor.userId, target, part, mergeMs])
