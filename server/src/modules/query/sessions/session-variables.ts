import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Connection } from './connections.ts'

interface Variable {
  readonly fallback: string
  /** Answers the value as it is kept; throws when it makes no sense. */
  parse(value: string): string
}

const wholeNumber = (name: string, max: number) => (value: string) => {
  if (!/^\d{1,15}$/.test(value) || Number(value) > max)
    throw new AppError('QueryFailed', `${name} takes a whole number from 0 to ${max}, not ${value}.`)
  return value
}

function timeZone(value: string): string {
  try {
    // Only asked whether there is such a zone: its name there may be an older one.
    new Date(0).toLocaleString('en', { timeZone: value })
    return value
  } catch (error) {
    throw new AppError(
      'QueryFailed',
      `${value} is not a time zone. Write a name such as Europe/Berlin, or UTC.`,
      {
        cause: error,
      },
    )
  }
}

const DAY_SECONDS = 86_400

/** EDITOR-36, EDITOR-37: the session variables of the service, the same on every engine. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  sql_select_limit: {
    fallback: String(LIMITS.selectRows),
    parse: wholeNumber('sql_select_limit', Number.MAX_SAFE_INTEGER),
  },
  /** Seconds. */
  query_timeout: { fallback: '300', parse: wholeNumber('query_timeout', DAY_SECONDS) },
  time_zone: { fallback: 'UTC', parse: timeZone },
  /** EDITOR-43, EDITOR-44: analysis mode keeps a profile of each statement. */
  enable_profile: {
    fallback: 'false',
    parse: (value) => {
      const text = value.toLowerCase()
      if (['true', '1', 'on'].includes(text)) return 'true'
      if (['false', '0', 'off'].includes(text)) return 'false'
      throw new AppError('QueryFailed', `enable_profile is true or false, not ${value}.`)
    },
  },
}

/** Other names of the same. */
export const VARIABLE_ALIASES: Readonly<Record<string, string>> = {
  is_report_success: 'enable_profile',
  timezone: 'time_zone',
}

const valueOf = (connection: Connection, name: string): string =>
  connection.variables[name] ?? VARIABLES[name]?.fallback ?? ''

export const selectLimitOf = (connection: Connection): number =>
  Math.min(LIMITS.selectRows, Number(valueOf(connection, 'sql_select_limit')))

export const queryTimeoutMsOf = (connection: Connection): number =>
  (Number(valueOf(connection, 'query_timeout')) || DAY_SECONDS) * 1000

export const timeZoneOf = (connection: Connection): string => valueOf(connection, 'time_zone')

export const wantsProfile = (connection: Connection): boolean =>
  valueOf(connection, 'enable_profile') === 'true'
