import { NO_SELECT_LIMIT } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Origin } from '../connections/origin.ts'
import { type ClientVariable, numbered, switched } from './client-variables.ts'
import { MYSQL_MODE, parseMysqlMode } from './sql-mode.ts'

/** Which door a connection came by, under a name that SET cannot reach: it has a blank in it. */
const CAME_BY = 'came by'

type Values = Readonly<Record<string, string>>

/** What a connection of a door has before anything is set, and again after a reset. */
export const startOf = (door: Origin['door']): Values => (door === 'mysql' ? { [CAME_BY]: door } : {})

export const cameByMysql = ({ variables }: { readonly variables: Values }): boolean =>
  variables[CAME_BY] === 'mysql'

/** What a connection of its door has before anything is set. */
export const withoutChoices = (connection: { readonly variables: Values }): Values =>
  startOf(cameByMysql(connection) ? 'mysql' : 'channel')

const wrong = (message: string) => new AppError('QueryFailed', message, { detail: 'wrong-value' })

/** The door converts texts from and to these. */
const CHARACTER_SETS = ['utf8mb4', 'utf8', 'utf8mb3', 'latin1', 'ascii', 'binary']

const characterSet = (name: string) => (value: string) => {
  const asked = value.toLowerCase()
  if (!CHARACTER_SETS.includes(asked))
    throw wrong(`${name} is one of ${CHARACTER_SETS.join(', ')}, not ${value}. Write SET NAMES utf8mb4.`)
  return asked
}

/** NULL is for no conversion at all, which is shown as an empty text. */
const resultSet = (value: string) =>
  value === '' || value.toUpperCase() === 'NULL' ? '' : characterSet('character_set_results')(value)

const collation = (value: string) => {
  if (!/^(?:(?:utf8|utf8mb3|utf8mb4|latin1|ascii)_\w{1,60}|binary)$/i.test(value))
    throw wrong(`collation_connection is a collation such as utf8mb4_bin, not ${value}.`)
  return value.toLowerCase()
}

/** So that nobody holds a transaction for ever. */
const LONGEST_IDLE_SECONDS = 12 * 3_600

const idleSeconds = (name: string) => (value: string) => {
  if (!/^\d{1,9}$/.test(value) || Number(value) < 1 || Number(value) > LONGEST_IDLE_SECONDS)
    throw wrong(`${name} takes seconds from 1 to ${LONGEST_IDLE_SECONDS}, not ${value}.`)
  return value
}

const chosenByOperator = (name: string) => (): string => {
  throw wrong(`${name} is chosen by the operator of the service.`)
}

const COLLATION_WARNING =
  'collation_connection is kept and has no effect here. Texts are compared by their bytes; default_collation changes that.'

/** What means something for clients of MySQL alone, or takes other values than in the console. */
export const MYSQL_VARIABLES: Readonly<Record<string, ClientVariable>> = {
  sql_mode: { fallback: MYSQL_MODE, parse: parseMysqlMode, warning: '' },
  autocommit: { fallback: '1', parse: switched('autocommit'), warning: '' },
  character_set_client: { fallback: 'utf8mb4', parse: characterSet('character_set_client'), warning: '' },
  character_set_connection: {
    fallback: 'utf8mb4',
    parse: characterSet('character_set_connection'),
    warning: '',
  },
  character_set_results: { fallback: 'utf8mb4', parse: resultSet, warning: '' },
  collation_connection: { fallback: 'utf8mb4_bin', parse: collation, warning: COLLATION_WARNING },
  /** Whether files of clients are loaded; the door gives it another value where they are not. */
  local_infile: { fallback: '1', parse: chosenByOperator('local_infile'), warning: '' },
  /** Of the endpoint by which the client came, as the door gives it. */
  port: { fallback: '0', parse: chosenByOperator('port'), warning: '' },
  /** Seconds without a statement, after which the connection is closed. */
  wait_timeout: { fallback: '28800', parse: idleSeconds('wait_timeout'), warning: '' },
  /** Seconds without a statement, after which an open transaction is rolled back. */
  idle_transaction_timeout: { fallback: '600', parse: idleSeconds('idle_transaction_timeout'), warning: '' },
  /** Seconds in which a client takes none of its rows, after which the statement ends. */
  net_write_timeout: { fallback: '60', parse: numbered('net_write_timeout'), warning: '' },
}

/** Where such clients begin elsewhere than the console. */
export const MYSQL_FALLBACKS: Values = {
  sql_dialect: 'mysql',
  // NULL comes before every value there.
  default_null_order: 'NULLS_FIRST_ON_ASC_LAST_ON_DESC',
  sql_select_limit: NO_SELECT_LIMIT,
  time_zone: 'SYSTEM',
  session_track_system_variables:
    'time_zone,autocommit,character_set_client,character_set_results,character_set_connection',
}
