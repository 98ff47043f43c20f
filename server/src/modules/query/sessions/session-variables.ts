import { LIMITS, NO_SELECT_LIMIT } from '@boathouse/contract'
import { nearest, type Quotes } from '@boathouse/sql'
import type { SessionSettings } from '../../../engines/engine/session.ts'
import { onOrOff, SESSION_SETTINGS, type Variable } from '../../../engines/engine/session-settings.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { CLIENT_VARIABLES, OLD_NAMES } from './client-variables.ts'
import type { Connection } from './connection.ts'
import { cameByMysql, MYSQL_FALLBACKS, MYSQL_VARIABLES } from './door-variables.ts'
import { STANDARD_MODE, parseSqlMode, quotesIn } from './sql-mode.ts'
import { userVariablesOf } from './user-variables.ts'

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
/** Engines have zones for whole hours alone. These have had theirs since 1946, summer and winter. */
const ZONES_OF_PARTS: Readonly<Record<string, string>> = {
  '+04:30': 'Asia/Kabul',
  '+05:30': 'Asia/Kolkata',
  '+06:30': 'Asia/Yangon',
  '+09:30': 'Australia/Darwin',
  '-09:30': 'Pacific/Marquesas',
}

/** As MySQL calls the zone of the server, which `system_time_zone` names. */
const SYSTEM_ZONE = 'SYSTEM'

/** The zone with this offset: engines know zones by their names, and those of offsets have the other sign. */
export function engineZone(value: string): string {
  if (value === SYSTEM_ZONE) return 'UTC'
  const [, sign, hours] = OFFSET.exec(value) ?? []
  if (!sign) return ZONES_OF_PARTS[value] ?? value
  return Number(hours) === 0 ? 'UTC' : `Etc/GMT${sign === '+' ? '-' : '+'}${Number(hours)}`
}

/** As the engine also writes offsets. It leaves out minutes without a word, and so takes whole hours alone here. */
const UTC_OFFSET = /^UTC([+-])(\d{1,2}|\d{1,2}:?00)$/i

function timeZone(written: string): string {
  if (written.toUpperCase() === SYSTEM_ZONE) return SYSTEM_ZONE
  const [, utcSign, utcHours = ''] = UTC_OFFSET.exec(written) ?? []
  const value = utcSign ? `${utcSign}${utcHours.replace(/:?00$/, '').padStart(2, '0')}:00` : written
  const [, sign, hours] = OFFSET.exec(value) ?? []
  if (sign && Number(hours) <= LARGEST_OFFSET[sign as '+' | '-']) return value
  if (Object.hasOwn(ZONES_OF_PARTS, value)) return value
  if (/^[+-]/.test(value))
    throw new AppError(
      'QueryFailed',
      `${value} is not an offset of whole hours from -12:00 to +14:00, nor one of ${Object.keys(ZONES_OF_PARTS).join(', ')}. Write the name of the zone, such as Asia/Kathmandu.`,
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

const DIALECTS = ['engine', 'mysql']

function dialect(value: string): string {
  const asked = value.toLowerCase()
  if (!DIALECTS.includes(asked))
    throw new AppError('QueryFailed', `sql_dialect is one of ${DIALECTS.join(', ')}, not ${value}.`, {
      detail: 'wrong-value',
    })
  return asked
}

/** EDITOR-36, EDITOR-37: the session variables of the service, the same on every engine. */
export const VARIABLES: Readonly<Record<string, Variable>> = {
  sql_select_limit: {
    fallback: String(LIMITS.selectRows),
    parse: selectLimit,
  },
  /** Seconds. */
  query_timeout: { fallback: '300', parse: wholeNumber('query_timeout', DAY_SECONDS) },
  time_zone: { fallback: 'UTC', parse: timeZone },
  /** Whose words statements are in, and how their transactions behave. */
  sql_dialect: { fallback: 'engine', parse: dialect },
  /** What quotes and backslashes mean. */
  sql_mode: { fallback: STANDARD_MODE, parse: parseSqlMode },
  /** EDITOR-44: keeps a profile of each statement; a hint does so for one query (`profile-hint.ts`). */
  enable_profile: {
    fallback: 'false',
    parse: onOrOff('enable_profile'),
  },
  ...SESSION_SETTINGS,
  ...CLIENT_VARIABLES,
}

/** Those of clients of MySQL, with the values that they begin with. */
const OF_MYSQL: typeof VARIABLES = Object.fromEntries(
  Object.entries({ ...VARIABLES, ...MYSQL_VARIABLES }).map(([name, variable]) => [
    name,
    { ...variable, fallback: MYSQL_FALLBACKS[name] ?? variable.fallback },
  ]),
)

/** What SET can change on a connection. */
export const variablesAt = (connection: Pick<Connection, 'variables'>): typeof VARIABLES =>
  cameByMysql(connection) ? OF_MYSQL : VARIABLES

/** Other names of the same. */
export const VARIABLE_ALIASES: Readonly<Record<string, string>> = {
  is_report_success: 'enable_profile',
  timezone: 'time_zone',
  null_order: 'default_null_order',
  ...OLD_NAMES,
}

/** What other servers of this language have, and clients ask for. Nobody can change these. */
const FIXED: Readonly<Record<string, string>> = {
  character_set_database: 'utf8mb4',
  character_set_filesystem: 'binary',
  character_set_server: 'utf8mb4',
  character_set_system: 'utf8mb4',
  collation_database: 'utf8mb4_bin',
  collation_server: 'utf8mb4_bin',
  default_authentication_plugin: 'caching_sha2_password',
  gtid_mode: 'OFF',
  have_openssl: 'YES',
  have_query_cache: 'NO',
  have_ssl: 'YES',
  hostname: 'boathouse',
  /** No column numbers its rows, so that no value was ever made. */
  identity: '0',
  init_connect: '',
  insert_id: '0',
  last_insert_id: '0',
  license: '',
  log_bin: '0',
  lower_case_table_names: '2',
  performance_schema: '0',
  protocol_version: '10',
  query_cache_limit: '0',
  read_only: '0',
  super_read_only: '0',
  system_time_zone: 'UTC',
  version: '8.0.33',
  version_comment: 'Boathouse',
}

export function noSuchVariable(name: string): string {
  const meant = nearest(name, [...Object.keys(VARIABLES), ...Object.keys(FIXED)])
  const proposal = meant === null ? '' : ` Did you mean ${meant}?`
  return `The variable ${name} does not exist. SHOW VARIABLES lists them.${proposal}`
}

/** All that a connection has, by name. */
export function variablesOf(
  connection: Pick<Connection, 'variables' | 'warehouse'>,
): Readonly<Record<string, string>> {
  const known = variablesAt(connection)
  const all: Record<string, string> = {
    ...FIXED,
    ...Object.fromEntries(
      Object.entries(known).map(([name, { fallback }]) => [name, connection.variables[name] ?? fallback]),
    ),
    warehouse: connection.warehouse,
  }
  const old = Object.entries(OLD_NAMES).map(([name, now]) => [name, all[now] ?? ''])
  return { ...all, ...Object.fromEntries(old) }
}

/** Null when there is no such variable. */
export const variableOf = (connection: Connection, name: string): string | null => {
  const known = VARIABLE_ALIASES[name] ?? name
  if (known === 'warehouse') return connection.warehouse
  if (Object.hasOwn(variablesAt(connection), known)) return valueOf(connection, known)
  return Object.hasOwn(FIXED, known) ? (FIXED[known] ?? null) : null
}

export const isFixed = (name: string): boolean => Object.hasOwn(FIXED, name)

type WithVariables = Pick<Connection, 'variables'>

/** Of one that there is. */
export const valueOf = (connection: WithVariables, name: string): string =>
  connection.variables[name] ?? variablesAt(connection)[name]?.fallback ?? ''

export const speaksMysql = (connection: WithVariables): boolean =>
  valueOf(connection, 'sql_dialect') === 'mysql'

/** Whether what a statement did is there for others as soon as it has ended, unless a transaction was begun. */
export const isAutocommit = (connection: WithVariables): boolean => valueOf(connection, 'autocommit') === '1'

const selectLimitOf = (connection: Connection): number => Number(valueOf(connection, 'sql_select_limit'))

/** EDITOR-37, EDITOR-38: so many rows come with the answer, whatever the limit; the others are read in windows. */
export const shownRowsOf = (connection: Connection): number =>
  Math.min(LIMITS.selectRows, selectLimitOf(connection))

/** So many rows a SELECT computes: the engine gets this as a part of its plan. */
export const keptRowsOf = (connection: Connection): number =>
  Math.min(LIMITS.keptRows, selectLimitOf(connection))

/** Of what no variable of the connection is about: loading a file takes as long as the file is large. */
export const LONGEST_RUN_MS = DAY_SECONDS * 1000

export interface TimeLimit {
  readonly ms: number
  /** The variable that sets it. */
  readonly variable: string
}

/** The shortest of those that are set. */
export function timeLimitOf(connection: Connection, reads: boolean): TimeLimit {
  const seconds = Number(valueOf(connection, 'query_timeout')) || DAY_SECONDS
  const limits = [
    { ms: seconds * 1000, variable: 'query_timeout' },
    { ms: Number(valueOf(connection, 'max_statement_time')) * 1000, variable: 'max_statement_time' },
    // MySQL applies it to what reads alone.
    { ms: reads ? Number(valueOf(connection, 'max_execution_time')) : 0, variable: 'max_execution_time' },
  ]
  return limits
    .filter(({ ms }) => ms > 0)
    .reduce((shortest, limit) => (limit.ms < shortest.ms ? limit : shortest))
}

export const timeZoneOf = (connection: Connection): string => engineZone(valueOf(connection, 'time_zone'))

/** Sent to the engine with every statement. */
export const settingsOf = (connection: Connection): SessionSettings => ({
  chosen: Object.fromEntries(
    Object.keys(SESSION_SETTINGS).flatMap((name) => chosenSetting(connection, name)),
  ),
  variables: userVariablesOf(connection),
})

/** Only what differs from the engine's default is sent. */
function chosenSetting(connection: Connection, name: string): [string, string][] {
  const value = valueOf(connection, name)
  return value === SESSION_SETTINGS[name]?.fallback ? [] : [[name, value]]
}

export const quotesOf = (connection: Connection): Quotes => ({
  ...quotesIn(valueOf(connection, 'sql_mode')),
  ...(valueOf(connection, 'sql_dialect') === 'mysql' && { comments: 'mysql' as const }),
})

export const wantsProfile = (connection: Connection): boolean =>
  valueOf(connection, 'enable_profile') === 'true'
