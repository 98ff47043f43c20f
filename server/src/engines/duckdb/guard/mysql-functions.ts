import type { Guarded } from './guarded-functions.ts'

const MOST_ITEMS = 12

/**
 * Functions that other servers of this language have, for those who bring their statements along. Only names that DuckDB
 * has not, or forms that it does not take: what it has keeps its meaning. What needs more than a function is rewritten
 * before it comes here (`mysql-calls.ts` in `packages/sql`).
 */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  adddate: ['(d, i) AS CAST(d AS TIMESTAMP) + i'],
  subdate: ['(d, i) AS CAST(d AS TIMESTAMP) - i'],
  curdate: ['() AS current_date'],
  curtime: ['() AS current_localtime()'],
  sysdate: ['() AS current_localtimestamp()'],
  utc_date: [`() AS CAST(now() AT TIME ZONE 'UTC' AS DATE)`],
  utc_time: [`() AS CAST(now() AT TIME ZONE 'UTC' AS TIME)`],
  utc_timestamp: [`() AS now() AT TIME ZONE 'UTC'`],
  unix_timestamp: [
    '() AS CAST(floor(epoch(now())) AS BIGINT)',
    '(t) AS CAST(floor(epoch(CAST(t AS TIMESTAMPTZ))) AS BIGINT)',
  ],
  from_unixtime: ['(n) AS CAST(to_timestamp(n) AS TIMESTAMP)'],
  date: ['(t) AS CAST(t AS DATE)'],
  datediff: [
    `(a, b) AS system.main.date_diff('day', CAST(b AS DATE), CAST(a AS DATE))`,
    '(part, a, b) AS system.main.datediff(part, a, b)',
  ],
  date_sub: ['(d, i) AS CAST(d AS TIMESTAMP) - i', '(part, a, b) AS system.main.date_sub(part, a, b)'],
  timestampadd: [
    `(unit, n, t) AS CAST(t AS TIMESTAMP) + n * CASE unit WHEN 'microsecond' THEN INTERVAL 1 MICROSECOND
      WHEN 'second' THEN INTERVAL 1 SECOND WHEN 'minute' THEN INTERVAL 1 MINUTE WHEN 'hour' THEN INTERVAL 1 HOUR
      WHEN 'day' THEN INTERVAL 1 DAY WHEN 'week' THEN INTERVAL 7 DAY WHEN 'month' THEN INTERVAL 1 MONTH
      WHEN 'quarter' THEN INTERVAL 3 MONTH WHEN 'year' THEN INTERVAL 1 YEAR END`,
  ],
  from_days: [`(n) AS DATE '1970-01-01' + CAST(n - 719528 AS INTEGER)`],
  makedate: ['(y, n) AS make_date(y, 1, 1) + CAST(n - 1 AS INTEGER)'],
  time_to_sec: ['(t) AS CAST(epoch(CAST(t AS TIME)) AS BIGINT)'],
  sec_to_time: [`(n) AS TIME '00:00:00' + to_seconds(n)`],

  isnull: ['(x) AS x IS NULL'],
  find_in_set: [
    `(s, list) AS CASE WHEN s IS NOT NULL AND list IS NOT NULL THEN coalesce(list_position(string_split(nullif(list, ''), ','), s), 0) END`,
  ],
  substring_index: [
    `(s, d, n) AS CASE WHEN n = 0 THEN '' WHEN n > 0 THEN array_to_string(list_slice(string_split(s, d), 1, n), d)
      ELSE array_to_string(list_slice(string_split(s, d), n, -1), d) END`,
  ],
  locate: [
    '(part, s) AS instr(s, part)',
    `(part, s, start) AS CASE WHEN instr(substring(s, start), part) = 0 THEN 0 ELSE instr(substring(s, start), part) + start - 1 END`,
  ],
  mid: ['(s, start, count) AS substring(s, start, count)'],
  space: [`(n) AS repeat(' ', n)`],
  strcmp: ['(a, b) AS CASE WHEN a < b THEN -1 WHEN a > b THEN 1 WHEN a = b THEN 0 END'],
  field: series(
    's',
    (items) => `CASE WHEN s IS NULL THEN 0 ELSE coalesce(list_position([${items}], s), 0) END`,
  ),
  elt: series('n', (items) => `CASE WHEN n > 0 THEN list_extract([${items}], n) END`),

  rand: ['() AS random()'],
  truncate: ['(x, d) AS trunc(x * pow(10, d)) / pow(10, d)'],
  std: ['(x) AS stddev_pop(x)'],
  sha2: [
    `(s, bits) AS CASE WHEN bits IN (0, 256) THEN sha256(s) ELSE error('sha2() is available with 256 bits.') END`,
  ],

  json_unquote: [`(j) AS json_extract_string(j, '$')`],
  json_arrayagg: ['(x) AS json_group_array(x)'],
  json_objectagg: ['(k, v) AS json_group_object(k, v)'],
  json_length: ['(j) AS json_array_length(j)'],
  regexp_like: ['(s, pattern) AS regexp_matches(s, pattern)'],
  regexp_substr: ["(s, pattern) AS nullif(regexp_extract(s, pattern), '')"],

  database: ['() AS current_schema()'],
  connection_id: ['() AS current_connection_id()'],
  last_insert_id: ['() AS 0'],
  row_count: ['() AS -1'],
}

/** With so many arguments: a macro has a fixed number of them. */
function series(first: string, body: (items: string) => string): string[] {
  const names = Array.from({ length: MOST_ITEMS }, (_, at) => `item${at}`)
  return names.map((_, at) => {
    const items = names.slice(0, at + 1).join(', ')
    return `(${first}, ${items}) AS ${body(items)}`
  })
}

export const MYSQL_FUNCTIONS: readonly Guarded[] = Object.entries(FUNCTIONS).map(([name, bodies]) => ({
  name,
  body: bodies.join(', '),
}))
