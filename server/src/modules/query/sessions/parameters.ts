import {
  parametersOf,
  quoteString,
  readStatement,
  type Statement,
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
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'bytes'; readonly bytes: Uint8Array }
  /** As SQL writes them: 2026-11-17, 15:04:05.123456, and both with a blank between them. */
  | { readonly type: 'date' | 'time' | 'timestamp'; readonly text: string }

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i

/** Words that SQL engines share. */
function literalOf(value: ParameterValue): string {
  if (value === null) return 'NULL'
  switch (value.type) {
    case 'text':
      return quoteString(value.text)
    case 'number':
      if (!NUMBER.test(value.text)) throw new AppError('BadInput', `${value.text} is not a number.`)
      return value.text
    case 'boolean':
      return value.value ? 'TRUE' : 'FALSE'
    case 'bytes':
      return `from_hex('${Buffer.from(value.bytes).toString('hex')}')`
    case 'date':
    case 'time':
    case 'timestamp':
      return `CAST(${quoteString(value.text)} AS ${value.type.toUpperCase()})`
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
