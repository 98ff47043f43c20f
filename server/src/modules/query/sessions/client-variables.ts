import { LIMITS } from '@boathouse/contract'
import { AppError } from '../../../kernel/app-error.ts'
import type { Verdict } from '../gate/gate.ts'
import type { Connection } from './connection.ts'

/** What clients of MySQL set when they connect. It is kept with the connection and shown; little of it has a meaning here. */
export interface ClientVariable {
  readonly fallback: string
  /** Gives the value as it is kept; throws when it is invalid, or would change results and cannot be done. */
  parse(value: string): string
  /** What SHOW WARNINGS says of a value that is kept and is not what happens here. */
  readonly warning: string
}

const refusal = (message: string) => new AppError('QueryFailed', message, { detail: 'wrong-value' })

const SWITCHES = new Map([
  ['1', '1'],
  ['on', '1'],
  ['true', '1'],
  ['0', '0'],
  ['off', '0'],
  ['false', '0'],
])

/** On or off, as 1 or 0. */
export const switched = (name: string) => (value: string) => {
  const found = SWITCHES.get(value.toLowerCase())
  if (found === undefined) throw refusal(`${name} is ON or OFF, not ${value}.`)
  return found
}

export const numbered = (name: string) => (value: string) => {
  if (!/^\d{1,20}(?:\.\d{1,6})?$/.test(value))
    throw refusal(`${name} takes a number from 0 on, not ${value}.`)
  return value
}

const LONGEST_TEXT = 2_000
const worded = (name: string) => (value: string) => {
  if (value.length > LONGEST_TEXT) throw refusal(`${name} takes at most ${LONGEST_TEXT} characters.`)
  return value
}

const noEffect = (name: string) => `${name} is kept and has no effect here.`

type Parser = (name: string) => (value: string) => string

/** Kept as they are, without a meaning. */
const kept = (parser: Parser, fallbacks: Readonly<Record<string, string>>, because?: string) =>
  Object.fromEntries(
    Object.entries(fallbacks).map(([name, fallback]): [string, ClientVariable] => [
      name,
      { fallback, parse: parser(name), warning: because ? `${noEffect(name)} ${because}` : noEffect(name) },
    ]),
  )

/** There is one value. Any other would give other results, so that it is refused. */
const only = (parser: Parser, name: string, { is, because }: { is: string; because: string }) => ({
  [name]: {
    fallback: is,
    parse: (value: string) => {
      const asked = parser(name)(value)
      if (asked.toLowerCase() !== is.toLowerCase()) throw refusal(`${name} is always ${is} here. ${because}`)
      return is
    },
    warning: '',
  } satisfies ClientVariable,
})

const CHARACTER_SETS = ['utf8mb4', 'utf8', 'utf8mb3', 'binary']

const characterSet = (name: string) => (value: string) => {
  const asked = value.toLowerCase()
  if (!CHARACTER_SETS.includes(asked))
    throw refusal(`Texts are sent and read as utf8mb4; ${name} cannot be ${value}. Write SET NAMES utf8mb4.`)
  return asked
}

/** NULL is for no conversion at all, which is shown as an empty text. */
const NO_CONVERSION = ''
const resultSet = (name: string) => (value: string) =>
  value === NO_CONVERSION || value.toUpperCase() === 'NULL' ? NO_CONVERSION : characterSet(name)(value)

const collation = (name: string) => (value: string) => {
  if (!/^(?:(?:utf8|utf8mb3|utf8mb4)_\w{1,60}|binary)$/i.test(value))
    throw refusal(`${name} is a collation of utf8mb4, such as utf8mb4_bin, not ${value}.`)
  return value.toLowerCase()
}

const LEVELS = ['READ-UNCOMMITTED', 'READ-COMMITTED', 'REPEATABLE-READ']

const isolation = (name: string) => (value: string) => {
  const asked = value
    .trim()
    .replaceAll(/[\s_]+/g, '-')
    .toUpperCase()
  if (asked === 'SERIALIZABLE')
    throw refusal(
      `${name} cannot be SERIALIZABLE here: transactions are REPEATABLE-READ, and two that write the same rows fail.`,
    )
  if (!LEVELS.includes(asked)) throw refusal(`${name} is one of ${LEVELS.join(', ')}, not ${value}.`)
  return asked
}

export const CLIENT_VARIABLES: Readonly<Record<string, ClientVariable>> = {
  ...only(switched, 'autocommit', {
    is: '1',
    because: 'A statement commits automatically unless you write BEGIN before it.',
  }),
  ...only(switched, 'sql_auto_is_null', { is: '0', because: 'Compare with the value itself.' }),
  ...only(numbered, 'auto_increment_increment', { is: '1', because: 'Use a sequence with another step.' }),
  ...only(numbered, 'auto_increment_offset', { is: '1', because: 'Use a sequence with another start.' }),
  ...only(numbered, 'default_week_format', { is: '0', because: 'Write the mode in WEEK(date, mode).' }),
  ...only(worded, 'lc_time_names', { is: 'en_US', because: 'Names of days and months are English.' }),

  ...kept(
    characterSet,
    { character_set_client: 'utf8mb4', character_set_connection: 'utf8mb4' },
    'Texts are utf8mb4.',
  ),
  ...kept(resultSet, { character_set_results: 'utf8mb4' }, 'Texts are utf8mb4.'),
  ...kept(
    collation,
    { collation_connection: 'utf8mb4_bin' },
    'Texts are compared by their bytes; default_collation changes that.',
  ),
  ...kept(isolation, { transaction_isolation: 'REPEATABLE-READ' }, 'Transactions are REPEATABLE-READ.'),
  /** Has a meaning: see `refusedAsReadOnly`. */
  transaction_read_only: { fallback: '0', parse: switched('transaction_read_only'), warning: '' },

  ...kept(switched, { foreign_key_checks: '1', unique_checks: '1' }, 'Constraints are always checked.'),
  ...kept(switched, { sql_safe_updates: '0' }, 'UPDATE and DELETE without WHERE change all rows.'),
  /** Milliseconds for a statement that reads, and seconds for any; 0 is no limit. See `timeLimitOf`. */
  max_execution_time: { fallback: '0', parse: numbered('max_execution_time'), warning: '' },
  max_statement_time: { fallback: '0', parse: numbered('max_statement_time'), warning: '' },
  ...kept(numbered, { group_concat_max_len: '1048576', max_sort_length: '1024' }, 'Values are never cut.'),
  ...kept(switched, {
    big_tables: '0',
    explicit_defaults_for_timestamp: '1',
    innodb_strict_mode: '1',
    low_priority_updates: '0',
    profiling: '0',
    session_track_schema: '1',
    session_track_state_change: '0',
    show_create_table_skip_secondary_engine: '0',
    sql_big_selects: '1',
    sql_buffer_result: '0',
    sql_log_bin: '1',
    sql_notes: '1',
    sql_quote_show_create: '1',
    sql_require_primary_key: '0',
    sql_warnings: '0',
  }),
  ...kept(numbered, {
    bulk_insert_buffer_size: '8388608',
    information_schema_stats_expiry: '86400',
    innodb_lock_wait_timeout: '50',
    interactive_timeout: '43200',
    join_buffer_size: '262144',
    lock_wait_timeout: '31536000',
    long_query_time: '10',
    max_allowed_packet: String(LIMITS.bodyBytes),
    max_error_count: '1024',
    max_heap_table_size: '16777216',
    max_join_size: '18446744073709551615',
    net_buffer_length: '16384',
    net_read_timeout: '30',
    net_retry_count: '10',
    net_write_timeout: '60',
    query_cache_size: '0',
    read_buffer_size: '131072',
    read_rnd_buffer_size: '262144',
    sort_buffer_size: '262144',
    tmp_table_size: '16777216',
    wait_timeout: '43200',
  }),
  ...kept(worded, {
    completion_type: 'NO_CHAIN',
    default_storage_engine: 'InnoDB',
    default_tmp_storage_engine: 'InnoDB',
    lc_messages: 'en_US',
    optimizer_switch: '',
    query_cache_type: 'OFF',
    session_track_gtids: 'OFF',
    session_track_system_variables: '',
    session_track_transaction_info: 'OFF',
    storage_engine: 'InnoDB',
    use_secondary_engine: 'ON',
  }),
}

/** Names of older servers for the same. */
export const OLD_NAMES: Readonly<Record<string, string>> = {
  tx_isolation: 'transaction_isolation',
  tx_read_only: 'transaction_read_only',
}

/** Statements of the service that change nothing. */
const LOOKS = /^(?:show|describe|kill)\b/

/** Why a connection that is set to read only cannot run it; null when it can. */
export function refusedAsReadOnly(
  { kind, class: purpose }: Pick<Verdict & { allowed: true }, 'kind' | 'class'>,
  { variables }: Pick<Connection, 'variables'>,
): { code: 'QueryFailed'; message: string; offset: null; detail: 'read-only' } | null {
  const changes = purpose === 'writes' || (purpose === 'service' && !LOOKS.test(kind))
  if (!changes || variables['transaction_read_only'] !== '1') return null
  const message =
    'This connection only reads. Write SET SESSION TRANSACTION READ WRITE before you change something.'
  return { code: 'QueryFailed', message, offset: null, detail: 'read-only' }
}
