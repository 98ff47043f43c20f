import type { Guarded } from './guarded-functions.ts'
import { GUARD } from './internal-schema.ts'
import { TIME_FUNCTIONS } from './mysql-times.ts'

/** Wide enough for what a quotient may be, and with four digits more behind the point than the dividend has. */
const quotientOf = (dividend: string): string => `${dividend} * 1.0000 * CAST(1 AS DECIMAL(18, 0))`

const TEXT = (value: string): string => `CAST(${value} AS VARCHAR)`

/** The number at the beginning of a text; 0 where there is none. */
const WHOLE_IN_TEXT = String.raw`coalesce(TRY_CAST(nullif(regexp_extract(x, '^\s*[-+]?\d+'), '') AS HUGEINT), 0)`

/**
 * What MySQL means by functions and operators that DuckDB has not, or has with another meaning. Statements on connections
 * that speak MySQL's words are rendered into calls of these (`rendering/mysql/`); no other statement changes by them.
 */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  divide: [
    `(a, b) AS cast_to_type(a / nullif(b, 0), ${quotientOf('a')})`,
    `(a, b, c) AS cast_to_type(a / nullif(b, 0) * c, ${quotientOf('a')} * c)`,
  ],
  div: ['(a, b) AS CAST(trunc(a / nullif(b, 0)) AS BIGINT)'],
  mod: ['(a, b) AS a % nullif(b, 0)'],
  xor_bits: ['(a, b) AS xor(CAST(a AS BIGINT), CAST(b AS BIGINT))'],
  true: [
    String.raw`(x VARCHAR) AS CASE WHEN x IS NOT NULL THEN
      coalesce(TRY_CAST(nullif(regexp_extract(x, '^\s*[-+]?(?:\d+\.?\d*|\.\d+)'), '') AS DOUBLE), 0) <> 0 END`,
    '(x) AS CAST(x AS BOOLEAN)',
  ],
  xor: ['(a, b) AS CAST(a AS BOOLEAN) <> CAST(b AS BOOLEAN)'],
  avg: [`(x) AS cast_to_type(avg(x), ${quotientOf('max(x)')})`],
  greatest: ['(items) AS CASE WHEN list_count(items) = len(items) THEN list_max(items) END'],
  least: ['(items) AS CASE WHEN list_count(items) = len(items) THEN list_min(items) END'],
  together: ['(items) AS CASE WHEN list_count(items) = len(items) THEN items END'],
  joined: [`(items, separator) AS nullif(array_to_string(items, separator), '')`],

  signed: [
    `(x VARCHAR) AS CAST(${WHOLE_IN_TEXT} AS BIGINT)`,
    `(x DATE) AS CAST(strftime(x, '%Y%m%d') AS BIGINT)`,
    `(x TIMESTAMP) AS CAST(strftime(x, '%Y%m%d%H%M%S') AS BIGINT)`,
    '(x) AS CAST(x AS BIGINT)',
  ],
  unsigned: [
    `(x VARCHAR) AS CAST(${WHOLE_IN_TEXT} AS UBIGINT)`,
    `(x DATE) AS CAST(strftime(x, '%Y%m%d') AS UBIGINT)`,
    `(x TIMESTAMP) AS CAST(strftime(x, '%Y%m%d%H%M%S') AS UBIGINT)`,
    '(x) AS CAST(x AS UBIGINT)',
  ],
  sqrt: ['(x) AS CASE WHEN x >= 0 THEN sqrt(x) END'],
  ln: ['(x) AS CASE WHEN x > 0 THEN ln(x) END'],
  log: [
    '(x) AS CASE WHEN x > 0 THEN ln(x) END',
    '(b, x) AS CASE WHEN x > 0 AND b > 0 AND b <> 1 THEN ln(x) / ln(b) END',
  ],
  log2: ['(x) AS CASE WHEN x > 0 THEN log2(x) END'],
  log10: ['(x) AS CASE WHEN x > 0 THEN log10(x) END'],
  atan: ['(x) AS atan(x)', '(y, x) AS atan2(y, x)'],
  truncate: ['(x, d) AS trunc(x * pow(10, d)) / pow(10, d)'],
  format: [
    `(x, d) AS format('{:,.' || CAST(greatest(d, 0) AS INTEGER) || 'f}', round(CAST(x AS DOUBLE), CAST(greatest(d, 0) AS INTEGER)))`,
  ],
  oct: [`(n) AS format('{:o}', CAST(n AS BIGINT))`],
  conv: [
    `(n, origin, base) AS CASE WHEN n IS NOT NULL THEN (SELECT upper(CASE base WHEN 10 THEN CAST(v AS VARCHAR) WHEN 2 THEN format('{:b}', v)
      WHEN 8 THEN format('{:o}', v) WHEN 16 THEN format('{:x}', v) ELSE error('CONV() writes numbers of base 2, 8, 10 and 16.') END)
      FROM (SELECT CAST(list_sum(list_transform(range(1, len(upper(${TEXT('n')})) + 1), lambda i:
        (strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', upper(${TEXT('n')})[i]) - 1) * pow(origin, len(upper(${TEXT('n')})) - i))) AS BIGINT) AS v)) END`,
  ],

  length: ['(x BLOB) AS octet_length(x)', `(x VARCHAR) AS strlen(x)`, `(x) AS strlen(${TEXT('x')})`],
  char_length: [`(x) AS length(${TEXT('x')})`],
  left: [`(s, n) AS left(${TEXT('s')}, CASE WHEN n > 0 THEN CAST(n AS BIGINT) ELSE 0 END)`],
  right: [`(s, n) AS right(${TEXT('s')}, CASE WHEN n > 0 THEN CAST(n AS BIGINT) ELSE 0 END)`],
  substr: [
    `(s, start) AS CASE WHEN start = 0 THEN '' ELSE substr(${TEXT('s')}, CAST(start AS BIGINT)) END`,
    `(s, start, number) AS CASE WHEN start = 0 OR number <= 0 THEN '' ELSE substr(${TEXT('s')}, CAST(start AS BIGINT), CAST(number AS BIGINT)) END`,
  ],
  lpad: [
    `(s, n, padding) AS CASE WHEN n >= 0 THEN lpad(${TEXT('s')}, CAST(n AS INTEGER), ${TEXT('padding')}) END`,
  ],
  rpad: [
    `(s, n, padding) AS CASE WHEN n >= 0 THEN rpad(${TEXT('s')}, CAST(n AS INTEGER), ${TEXT('padding')}) END`,
  ],
  replace: [
    `(s, a, b) AS CASE WHEN ${TEXT('a')} = '' THEN ${TEXT('s')} ELSE replace(${TEXT('s')}, ${TEXT('a')}, ${TEXT('b')}) END`,
  ],
  insert: [
    `(s, start, number, added) AS CASE WHEN start < 1 OR start > length(s) THEN s
      ELSE left(s, start - 1) || added || CASE WHEN number < 0 THEN '' ELSE substr(s, start + number) END END`,
  ],
  instr: [`(s, part) AS strpos(${TEXT('s')}, ${TEXT('part')})`],
  locate: [
    `(part, s) AS strpos(${TEXT('s')}, ${TEXT('part')})`,
    `(part, s, start) AS CASE WHEN start < 1 OR strpos(substr(${TEXT('s')}, start), ${TEXT('part')}) = 0 THEN 0
      ELSE strpos(substr(${TEXT('s')}, start), ${TEXT('part')}) + start - 1 END`,
  ],
  substring_index: [
    `(s, d, n) AS CASE WHEN n = 0 OR d = '' THEN '' WHEN n > 0 THEN array_to_string(list_slice(string_split(${TEXT('s')}, d), 1, n), d)
      ELSE array_to_string(list_slice(string_split(${TEXT('s')}, d), greatest(n, -len(string_split(${TEXT('s')}, d))), -1), d) END`,
  ],
  trim_both: [
    String.raw`(part, s) AS regexp_replace(regexp_replace(s, '^(?:' || regexp_escape(part) || ')+', ''), '(?:' || regexp_escape(part) || ')+$', '')`,
  ],
  trim_leading: [`(part, s) AS regexp_replace(s, '^(?:' || regexp_escape(part) || ')+', '')`],
  trim_trailing: [`(part, s) AS regexp_replace(s, '(?:' || regexp_escape(part) || ')+$', '')`],
  ord: [
    `(s) AS list_reduce(list_prepend(CAST(0 AS BIGINT), list_transform(regexp_extract_all(hex(left(${TEXT('s')}, 1)), '..'), lambda h: CAST(('0x' || h) AS BIGINT))), lambda a, b: a * 256 + b)`,
  ],
  to_base64: [`(x BLOB) AS to_base64(x)`, `(x VARCHAR) AS to_base64(encode(x))`],
  unhex: ['(s) AS unhex(s)'],
  inet_aton: [
    `(s) AS CAST(split_part(s, '.', 1) AS BIGINT) * 16777216 + CAST(split_part(s, '.', 2) AS BIGINT) * 65536 + CAST(split_part(s, '.', 3) AS BIGINT) * 256 + CAST(split_part(s, '.', 4) AS BIGINT)`,
  ],
  inet_ntoa: [
    `(n) AS (CAST(n AS BIGINT) // 16777216) || '.' || (CAST(n AS BIGINT) // 65536 % 256) || '.' || (CAST(n AS BIGINT) // 256 % 256) || '.' || (CAST(n AS BIGINT) % 256)`,
  ],
  regexp: [`(s, pattern) AS regexp_matches(${TEXT('s')}, pattern)`],
  regexp_like: [`(s, pattern) AS regexp_matches(${TEXT('s')}, pattern)`],
  regexp_replace: [`(s, pattern, added) AS regexp_replace(${TEXT('s')}, pattern, added, 'g')`],
  regexp_substr: [`(s, pattern) AS regexp_extract(${TEXT('s')}, pattern)`],
  regexp_instr: [
    `(s, pattern) AS CASE WHEN regexp_matches(${TEXT('s')}, pattern) THEN strpos(${TEXT('s')}, regexp_extract(${TEXT('s')}, pattern)) ELSE 0 END`,
  ],

  json_extract: [
    '(j, p) AS json_extract(j, p)',
    '(j, p, q) AS to_json(list_filter([json_extract(j, p), json_extract(j, q)], lambda v: v IS NOT NULL))',
  ],
  json_value: ['(j, p) AS json_extract_string(j, p)'],
  json_unquote: [
    `(j) AS CASE WHEN ${TEXT('j')} LIKE '"%"' AND json_valid(${TEXT('j')}) THEN json_extract_string(${TEXT('j')}, '$') ELSE ${TEXT('j')} END`,
  ],
  json_length: [
    `(j) AS CASE json_type(j) WHEN 'ARRAY' THEN json_array_length(j) WHEN 'OBJECT' THEN len(json_keys(j)) ELSE CASE WHEN j IS NOT NULL THEN 1 END END`,
    `(j, p) AS CASE json_type(j, p) WHEN 'ARRAY' THEN json_array_length(j, p) WHEN 'OBJECT' THEN len(json_keys(j, p)) ELSE CASE WHEN json_extract(j, p) IS NOT NULL THEN 1 END END`,
  ],
  json_contains: [
    `(j, part) AS json_contains(j, ${TEXT('part')})`,
    `(j, part, p) AS json_contains(json_extract(j, p), ${TEXT('part')})`,
  ],
  json_keys: ['(j) AS to_json(json_keys(j))', '(j, p) AS to_json(json_keys(j, p))'],
  json_type: [
    `(j) AS CASE json_type(j) WHEN 'VARCHAR' THEN 'STRING' WHEN 'UBIGINT' THEN 'INTEGER' WHEN 'BIGINT' THEN 'INTEGER' ELSE json_type(j) END`,
  ],
  ...TIME_FUNCTIONS,
}

export const MYSQL_DIALECT: readonly Guarded[] = Object.entries(FUNCTIONS).map(([name, bodies]) => ({
  name: `mysql_${name}`,
  // One finds the other wherever the session stands, and whatever somebody has made under such a name.
  body: bodies.join(', ').replaceAll(/\bmysql_\w+\(/g, (call) => `${GUARD}.${call}`),
}))
