import { type TokenEdits, TOKEN } from '@boathouse/sql'
import { noteMoment, noteParameter } from './intervals.ts'
import type { Call, Source } from './source.ts'
import { noteText } from './texts.ts'

/** The types of CAST, and what is made of the cast: a macro of the value, or a cast to another type. */
const TYPES: Readonly<Record<string, 'text' | { macro: string } | { type: string; isTried?: boolean }>> = {
  SIGNED: { macro: 'mysql_signed' },
  UNSIGNED: { macro: 'mysql_unsigned' },
  INT: { macro: 'mysql_signed' },
  INTEGER: { macro: 'mysql_signed' },
  CHAR: 'text',
  NCHAR: 'text',
  VARCHAR: 'text',
  DATETIME: { type: 'TIMESTAMP', isTried: true },
  DATE: { type: 'DATE', isTried: true },
  TIME: { type: 'TIME', isTried: true },
  BINARY: { type: 'BLOB' },
  DECIMAL: { type: 'DECIMAL' },
  DOUBLE: { type: 'DOUBLE' },
  FLOAT: { type: 'FLOAT' },
  REAL: { type: 'DOUBLE' },
  JSON: { type: 'JSON' },
  YEAR: { type: 'SMALLINT' },
}

/** The text of a type with its numbers; null where something else stands there. */
function typeIn(source: Source, first: number, last: number): string | null {
  const word = source.word(first)
  const known = Object.hasOwn(TYPES, word) ? TYPES[word] : undefined
  if (!known) return null
  if (word !== 'DECIMAL') return word
  const numbers = source.written(first + 1, last)
  if (first === last) return 'DECIMAL(10, 0)'
  return /^\(\s*\d+\s*\)$/.test(numbers) ? `DECIMAL${numbers.replace(')', ', 0)')}` : `DECIMAL${numbers}`
}

interface Cast {
  readonly call: Call
  /** The token between value and type. */
  readonly between: number
  readonly first: number
  readonly last: number
}

function noteType(source: Source, written: Cast, edits: TokenEdits): void {
  const { call, between, first, last } = written
  const type = typeIn(source, first, last)
  const known = TYPES[source.word(first)]
  if (type === null || !known || between <= call.opening + 1) return
  if (known === 'text') return noteCharacters(source, written, edits)
  if ('macro' in known) {
    edits.set(call.name, known.macro)
    noteParameter(source, [call.opening + 1, between - 1], edits)
    edits.replace(between, last, '')
    return
  }
  if (known.isTried && known.type !== 'TIME') noteMoment(source, [call.opening + 1, between - 1], edits)
  edits.set(call.name, known.isTried ? 'TRY_CAST' : 'CAST')
  edits.replace(between, last, ` AS ${type.startsWith('DECIMAL') ? type : known.type}`)
  // A text that holds more than its type wants is cut there: 2024-01-31 10:00:00 as a date.
  if (known.isTried && known.type === 'DATE')
    edits.enclose(call.opening + 1, between - 1, { before: 'TRY_CAST(', after: ' AS TIMESTAMP)' })
}

function noteCharacters(source: Source, { call, between, last }: Cast, edits: TokenEdits): void {
  edits.set(call.name, '')
  edits.replace(between, last, '')
  noteText(source, [call.opening + 1, between - 1], edits)
}

/** CAST(value AS type) */
export function cast(source: Source, call: Call, edits: TokenEdits): void {
  const { opening, closing } = call
  let between = -1
  for (let at = opening + 1; at < closing; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === 'AS') between = at
  }
  if (between > 0 && between + 1 < closing)
    noteType(source, { call, between, first: between + 1, last: closing - 1 }, edits)
}

/** CONVERT(value, type) and CONVERT(value USING character set) */
export function convert(source: Source, call: Call, edits: TokenEdits): void {
  const { name, closing, args } = call
  const [value, type] = args
  const isSet = source.kind(closing - 1) === TOKEN.word || source.kind(closing - 1) === TOKEN.quotedIdentifier
  if (args.length === 1 && value && source.word(closing - 2) === 'USING' && isSet) {
    edits.set(name, '')
    edits.replace(closing - 2, closing - 1, '')
    noteText(source, [value[0], closing - 3], edits)
  } else if (args.length === 2 && value && type) {
    noteType(source, { call, between: type[0] - 1, first: type[0], last: type[1] }, edits)
  }
}
