import { AppError } from '../../kernel/app-error.ts'

/** What SET can change. */
export interface Variable {
  readonly fallback: string
  /** Answers the value as it is kept; throws when it makes no sense. */
  parse(value: string): string
}

export function onOrOff(name: string) {
  return (value: string): string => {
    const text = value.toLowerCase()
    if (['true', '1', 'on'].includes(text)) return 'true'
    if (['false', '0', 'off'].includes(text)) return 'false'
    throw new AppError('QueryFailed', `${name} is true or false, not ${value}.`)
  }
}

/** One of these, whatever its letter case; `others` are further words for them. */
function oneOf(name: string, words: readonly string[], others: Readonly<Record<string, string>> = {}) {
  return (value: string): string => {
    const wanted = value.trim().toLowerCase()
    const found = words.find((word) => word.toLowerCase() === wanted) ?? others[wanted]
    if (found === undefined)
      throw new AppError('QueryFailed', `${name} is one of ${words.join(', ')}, not ${value}.`)
    return found
  }
}

const NULL_ORDERS = [
  'NULLS_LAST',
  'NULLS_FIRST',
  'NULLS_FIRST_ON_ASC_LAST_ON_DESC',
  'NULLS_LAST_ON_ASC_FIRST_ON_DESC',
]
const NULL_ORDER_WORDS = {
  'nulls last': 'NULLS_LAST',
  last: 'NULLS_LAST',
  'nulls first': 'NULLS_FIRST',
  first: 'NULLS_FIRST',
  sqlite: 'NULLS_FIRST_ON_ASC_LAST_ON_DESC',
  mysql: 'NULLS_FIRST_ON_ASC_LAST_ON_DESC',
  postgres: 'NULLS_LAST_ON_ASC_FIRST_ON_DESC',
}
const CALENDARS = `gregorian buddhist chinese coptic dangi ethiopic ethiopic-amete-alem hebrew indian islamic
  islamic-civil islamic-rgsa islamic-tbla islamic-umalqura iso8601 japanese persian roc`.split(/\s+/)

/** Names of orders of texts, with dots between them; which there are, the engine knows. */
function collation(value: string): string {
  const name = value.trim().toLowerCase()
  if (!/^(?:[a-z_]+(?:\.[a-z_]+)*)?$/.test(name))
    throw new AppError('QueryFailed', `default_collation takes a name such as NOCASE or de, not ${value}.`)
  return name
}

/**
 * What a session can choose of how an engine reads and orders values, in the words of the service. An engine says which of
 * them it has (`Dialect.settings`), and puts them into its own words.
 */
export const SESSION_SETTINGS: Readonly<Record<string, Variable>> = {
  calendar: { fallback: 'gregorian', parse: oneOf('calendar', CALENDARS) },
  default_collation: { fallback: '', parse: collation },
  default_null_order: {
    fallback: 'NULLS_LAST',
    parse: oneOf('default_null_order', NULL_ORDERS, NULL_ORDER_WORDS),
  },
  default_order: {
    fallback: 'ASC',
    parse: oneOf('default_order', ['ASC', 'DESC'], { ascending: 'ASC', descending: 'DESC' }),
  },
  ieee_floating_point_ops: { fallback: 'true', parse: onOrOff('ieee_floating_point_ops') },
}
