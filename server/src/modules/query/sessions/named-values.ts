import { boundText, type BoundValue, BoundValues } from '@boathouse/contract'
import {
  namedParameters,
  originalOffset,
  readStatement,
  type Statement,
  withNamedValues,
  withStandardQuotes,
} from '@boathouse/sql'
import { AppError } from '../../../kernel/app-error.ts'
import { literalOf } from './parameters.ts'

/**
 * Values that are sent for the parameters `:name` and `{{name}}` of a text. What runs is the text with literals in their
 * places, read, judged and authorized as if it had been sent so.
 */

const written = (names: readonly string[]): string => names.map((name) => `:${name}`).join(', ')

/** Refuses a text as a whole, before anything of it is written down: each parameter has a value, and each value one. */
export function requireValues(values: BoundValues | undefined, statements: readonly Statement[]): void {
  if (!values) return
  const used = new Set<string>()
  for (const statement of statements) {
    const names = namedParameters(statement)
    const missing = names.filter((name) => !Object.hasOwn(values, name))
    if (missing.length > 0)
      throw new AppError('BadInput', `There is no value for the parameters ${written(missing)}.`)
    if (names.length > 0 && statement.class !== 'reads' && statement.class !== 'writes')
      throw new AppError(
        'BadInput',
        `${statement.kind.replaceAll('-', ' ').toUpperCase()} takes no parameters. Use them in statements that read or change data.`,
      )
    for (const name of names) used.add(name)
  }
  const unused = Object.keys(values).filter((name) => !used.has(name))
  if (unused.length > 0)
    throw new AppError(
      'BadInput',
      `The text has no parameters ${written(unused)}, for which values were sent.`,
    )
}

/** Of these, the values that a statement has parameters for; null: it has none, or was sent without values. */
export function valuesOf(statement: Statement, values: BoundValues | undefined): BoundValues | null {
  if (!values) return null
  const names = namedParameters(statement).filter((name) => Object.hasOwn(values, name))
  return names.length > 0 ? Object.fromEntries(names.map((name) => [name, values[name] ?? null])) : null
}

/** As they are written down with a statement; the same values give the same text. */
export const keptValues = (statement: Statement, values: BoundValues | undefined): string | null => {
  const own = valuesOf(statement, values)
  return own && JSON.stringify(own)
}

export const valuesIn = ({ bound_values }: { readonly bound_values: string | null }): BoundValues | null =>
  bound_values === null ? null : (BoundValues.safeParse(JSON.parse(bound_values)).data ?? null)

const BOOLEAN = /^(?:true|false)$/i

function literal(type: NonNullable<BoundValue>['type'], text: string): string {
  if (type !== 'boolean') return literalOf({ type, text })
  if (!BOOLEAN.test(text)) throw new AppError('BadInput', `${text} is not true or false.`)
  return literalOf({ type, value: text.toLowerCase() === 'true' })
}

function literals(value: BoundValue): string | string[] {
  if (value === null) return literalOf(null)
  if ('value' in value) return literal(value.type, value.value)
  return value.values.map((text) => literal(value.type, text))
}

/** A statement with its values, and where a place in it is in the text that was sent. */
export interface BoundStatement {
  readonly text: string
  offsetIn(offset: number): number | null
}

export function boundStatement(statement: Statement, values: BoundValues): BoundStatement {
  const standard = withStandardQuotes(statement)
  const given = new Map(Object.entries(values).map(([name, value]) => [name, literals(value)]))
  const bound = withNamedValues(readStatement(standard), given)
  if ('misplaced' in bound)
    throw new AppError(
      'QueryFailed',
      `:${bound.misplaced} has several values (${boundText(values[bound.misplaced] ?? null).slice(0, 100)}). Use them behind IN, as in x IN (:${bound.misplaced}).`,
    )
  const isInPlace = standard === statement.text
  return { text: bound.text, offsetIn: (offset) => (isInPlace ? originalOffset(bound, offset) : null) }
}
