import {
  parametersOf,
  quoteString,
  readStatement,
  type Statement,
  textLiteral,
  withStandardQuotes,
  withValues,
} from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'

/** A value for a parameter of a statement, in no engine's words. */
export type ParameterValue =
  | null
  | { readonly type: 'text'; readonly text: string }
  /** Digits with a sign, a point or an exponent, so that none are lost on the way. */
  | { readonly type: 'number'; readonly text: string }
  /** The same, as a floating-point number whatever its digits. */
  | { readonly type: 'double'; readonly text: string }
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  /**
   * As SQL writes them: 2026-11-17, 15:04:05.123456, and both with a blank between them. A time beyond a day, as
   * -1:30:00 and 25:00:00, is an interval.
   */
  | { readonly type: 'date' | 'time' | 'timestamp'; readonly text: string }

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

function numberOf(text: string): string {
  if (!NUMBER.test(text)) throw new AppError('BadInput', `${text} is not a number.`)
  return text
}

const OF_DAY = /^(?:[01]?\d|2[0-3]):/

/** Half a character, which UTF-8 does not know, becomes U+FFFD, as it would on its way to the engine. */
const wellFormed = (text: string): string => (LONE_SURROGATE.test(text) ? Buffer.from(text).toString() : text)
const LONE_SURROGATE = /\p{Surrogate}/u

/** Engines read as much of a text as is a date, and leave out the rest without a word. */
const OF_TIME = /^[\d :.+-]+$/

function castOf(text: string, type: string): string {
  if (!OF_TIME.test(text)) throw new AppError('BadInput', `${text} is not a ${type.toLowerCase()}.`)
  return `CAST(${quoteString(text)} AS ${type})`
}

/** Words that SQL engines share. */
export function literalOf(value: ParameterValue): string {
  if (value === null) return 'NULL'
  switch (value.type) {
    case 'text':
      return textLiteral(wellFormed(value.text))
    case 'number':
      return numberOf(value.text)
    case 'double':
      return /e/i.test(value.text) ? numberOf(value.text) : `${numberOf(value.text)}e0`
    case 'boolean':
      return value.value ? 'TRUE' : 'FALSE'
    case 'bytes':
      return `from_hex('${Buffer.from(value.bytes).toString('hex')}')`
    case 'time':
      return castOf(value.text, OF_DAY.test(value.text) ? 'TIME' : 'INTERVAL')
    case 'date':
    case 'timestamp':
      return castOf(value.text, value.type.toUpperCase())
  }
}

/**
 * The text with values for its parameters, to be judged and authorized as if it had been sent so. It is put together from
 * tokens in standard quotes: no value can end its literal, whatever sql_mode says of backslashes.
 */
export function withParameters(statement: Statement, values: readonly ParameterValue[]): string {
  const read = readStatement(withStandardQuotes(statement))
  const names = parametersOf(read)
  if (names.length !== values.length)
    throw new AppError(
      'QueryFailed',
      `The statement has ${names.length} parameters, and ${values.length} values were sent for them.`,
    )
  const literals = new Map(names.map((name, at) => [name, literalOf(values[at] ?? null)]))
  return withValues(read, literals)
}
