import type { FileReading } from '../../../engines/engine/files.ts'
import type { ArrivedData } from './arrived-data.ts'
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
  let found = 0
  for (let at = data.indexOf(mark); at >= 0; at = data.indexOf(mark, at + 1)) found++
  return found === 0 || (escape === quote && found % 2 === 0)
}

/** What can stand in one file with others: rows by lines, all of them read alike, and nothing to be counted apart. */
export function isMergeable({ options: { part, merges } }: LiveLoad, data: Buffer): boolean {
  const { reading, where, json, trims } = part
  if (merges === false || where !== null || trims || data.length === 0) return false
  if (reading.format === 'csv') return reading.skip === 0 && closesQuotes(reading, data)
  return reading.format === 'json' && json.paths === null && json.root === null && data[0] === 0x7b
}

/** What is larger takes so long that beginning and ending a transaction for it alone does not count. */
const MOST_OF_PART = 2 * 1024 * 1024

/** What can be loaded in one transaction with others, each on its own. */
export const isMergeablePart = ({ options }: LiveLoad, { bytes }: Pick<ArrivedData, 'bytes'>): boolean =>
  options.merges !== false && bytes <= MOST_OF_PART

/** Loads of one user into one table. Rights and warehouse are the same, too. */
export const partKeyOf = ({ actor, target, options: { mergeMs } }: LiveLoad): string =>
  JSON.stringify([actor.accountId, actor.userId, target, mergeMs])

/** Of those, the ones that are read in the same way. */
export const mergeKeyOf = (load: LiveLoad): string => JSON.stringify([partKeyOf(load), load.options.part])
