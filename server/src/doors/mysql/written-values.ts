import { keywordAt, parametersOf, type Quotes, readStatement, withValues } from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import type { SentParameter } from './link/messages.ts'

/** What the service answers itself, where a value is in the text alone. */
const ANSWERED = new Set(['SHOW', 'SET'])
/** Everything else is not taken apart here: such statements are short, and may have a comment in front. */
const LONGEST_ANSWERED = 10_000
const MAY_BE_ANSWERED = /^\s*(?:S(?:HOW|ET)\b|\/\*|--|#)/i

/** SHOW … LIKE ? and SET @name = ? with their values; null for all other statements, which take parameters. */
export function withWrittenValues(
  sql: string,
  parameters: readonly SentParameter[],
  isWithoutBackslash: boolean,
): string | null {
  if (parameters.length === 0 || sql.length > LONGEST_ANSWERED || !MAY_BE_ANSWERED.test(sql)) return null
  const quotes: Quotes = { escapes: !isWithoutBackslash, doubleIsText: true, comments: 'mysql' }
  const statement = readStatement(sql, quotes)
  const verb = keywordAt(statement, statement.first)
  if (!ANSWERED.has(verb)) return null
  const names = parametersOf(statement)
  if (names.length !== parameters.length)
    throw new AppError(
      'QueryFailed',
      `The statement has ${names.length} parameters, and ${parameters.length} values were sent for them.`,
    )
  const written = names.map((name, at) => {
    const value = parameters[at] ?? NOTHING
    const isNumber = verb === 'SET' && NUMBERS.has(value.type)
    return [name, literalOf(value, { isNumber, isWithoutBackslash })] as const
  })
  return withValues(statement, new Map(written))
}

const NOTHING: SentParameter = { type: 'null' }
const NUMBERS = new Set<SentParameter['type']>(['integer', 'unsigned', 'double', 'decimal'])
const NUMBER = /^-?[\d.]+(?:e[-+]?\d+)?$/i

function literalOf(
  value: SentParameter,
  { isNumber, isWithoutBackslash }: { readonly isNumber: boolean; readonly isWithoutBackslash: boolean },
): string {
  if (value.type === 'null') return 'NULL'
  if (value.type === 'bytes') return `x'${Buffer.from(value.bytes).toString('hex')}'`
  if (isNumber && NUMBER.test(value.text)) return value.text
  const text = isWithoutBackslash ? value.text : value.text.replaceAll('\\', '\\\\')
  return `'${text.replaceAll("'", "''")}'`
}
