/**
 * Functions that may give another value when the same text is bound again in its transaction, ours among them. A test fails
 * when DuckDB has one that is missing here.
 */
export const CHANGING_FUNCTIONS: ReadonlySet<string> = new Set([
  'connection_id',
  'current_connection_id',
  'current_query',
  'current_query_id',
  'current_transaction_id',
  'currval',
  'error',
  'gen_random_uuid',
  'nextval',
  'pg_sleep',
  'rand',
  'random',
  'setseed',
  'sha2',
  'sleep_ms',
  'stats',
  'uuid',
  'uuidv4',
  'uuidv7',
  'write_log',
])
