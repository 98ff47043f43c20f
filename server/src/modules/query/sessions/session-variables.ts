import { LIMITS, NO_SELECT_LIMIT } from '@boathouse/contract'
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

/** `none`, and what is more than can be counted, is no limit. */
function selectLimit(value: string): string {
  if (value.toLowerCase() === 'none') return NO_SELECT_LIMIT
  if (!/^\d{1,20}$/.test(value))
    throw new AppError(
      'QueryFailed',
      `sql_select_limit takes a whole number of rows, none or DEFAULT, not ${value}.`,
    )
  return Number(value) > Number.MAX_SAFE_INTEGER ? NO_SELECT_LIMIT : value
}

const OFFSET = /^([+-])(\d{1,2}):00$/
const LARGEST_OFFSET = { '+': 14, '-': 12 } as const

/** The zone with this offset: engines know zones by their names, and those of offsets have the other sign. */
export function engineZone(value: string): string {
  const [, sign, hours] = OFFSET.exec(value) ?? []
  if (!sign) return value
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`
}

function timeZone(value: string): string {
  const [, sign, hours] = OFFSET.exec(value) ?? []
  if (sign && Number(hours) <= LARGEST_OFFSET[sign as '+' | '-']) return value
  if (/^[+-]/.test(value))
    throw new AppError(
      'QueryFailed',
      `${value} is not an offset of whole hours from -12:00 to +14:00. Write the name of the zone, such as Asia/Kolkata.`,
    )
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
    parse: selectLimit,
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

/** What other servers of this language have, and clients ask for. Nobody can change these. */
const FIXED: Readonly<Record<string, string>> = {
  auto_increment_increment: '1',
  autocommit: '1',
  character_set_client: 'utf8mb4',
  character_set_connection: 'utf8mb4',
  character_set_database: 'utf8mb4',
  character_set_results: 'utf8mb4',
  character_set_server: 'utf8mb4',
  collation_connection: 'utf8mb4_bin',
  collation_database: 'utf8mb4_bin',
  collation_server: 'utf8mb4_bin',
  have_query_cache: 'NO',
  init_connect: '',
  interactive_timeout: '43200',
  license: '',
  lower_case_table_names: '2',
  max_allowed_packet: String(LIMITS.bodyBytes),
  net_buffer_length: '16384',
  net_write_timeout: '60',
  performance_schema: '0',
  query_cache_size: '0',
  query_cache_type: 'OFF',
  sql_auto_is_null: '0',
  sql_mode: 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES,PIPES_AS_CONCAT',
  system_time_zone: 'UTC',
  transaction_isolation: 'REPEATABLE-READ',
  transaction_read_only: '0',
  tx_isolation: 'REPEATABLE-READ',
  tx_read_only: '0',
  version: '8.0.33',
  version_comment: 'Boathouse',
  wait_timeout: '43200',
}

export const noSuchVariable = (name: string): string =>
  `The variable ${name} does not exist. SHOW VARIABLES lists them.`

/** All that a connection has, by name. */
export const variablesOf = (
  connection: Pick<Connection, 'variables' | 'warehouse'>,
): Readonly<Record<string, string>> => ({
  ...FIXED,
  ...Object.fromEntries(Object.entries(VARIABLES).map(([name, { fallback }]) => [name, fallback])),
  ...Object.fromEntries(Object.entries(connection.variables).filter(([name]) => name in VARIABLES)),
  warehouse: connection.warehouse,
})

/** Null when there is no such variable. */
export const variableOf = (connection: Connection, name: string): string | null => {
  const known = VARIABLE_ALIASES[name] ?? name
  const all = variablesOf(connection)
  return Object.hasOwn(all, known) ? (all[known] ?? null) : null
}

export const isFixed = (name: string): boolean => Object.hasOwn(FIXED, name)

const valueOf = (connection: Connection, name: string): string =>
  connection.variables[name] ?? VARIABLES[name]?.fallback ?? ''

const selectLimitOf = (connection: Connection): number => Number(valueOf(connection, 'sql_select_limit'))

/** EDITOR-37, EDITOR-38: so many rows come with the answer, whatever the limit; the others are read in windows. */
export const shownRowsOf = (connection: Connection): number =>
  Math.min(LIMITS.selectRows, selectLimitOf(connection))

/** So many rows a SELECT computes: the engine gets this as a part of its plan. */
export const keptRowsOf = (connection: Connection): number =>
  Math.min(LIMITS.keptRows, selectLimitOf(connection))

/** Of what no variable of the connection is about: loading a file takes as long as the file is large. */
export const LONGEST_RUN_MS = DAY_SECONDS * 1000

export const queryTimeoutMsOf = (connection: Connection): number =>
  (Number(valueOf(connection, 'query_timeout')) || DAY_SECONDS) * 1000

export const timeZoneOf = (connection: Connection): string => engineZone(valueOf(connection, 'time_zone'))

export const wantsProfile = (connection: Connection): boolean =>
  valueOf(connection, 'enable_profile') === 'true'
