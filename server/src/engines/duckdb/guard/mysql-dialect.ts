import type { Guarded } from './guarded-functions.ts'
import { GUARD } from './internal-schema.ts'
import { TIME_FUNCTIONS } from './mysql-times.ts'

const TEXT = (value: string): string => `CAST(${value} AS VARCHAR)`

/** Below these, by the digits behind its point, all digits of a quotient are among those that a floating-point number keeps. */
const SHORT = [
  ['%,4)', '1e9'],
  ['%,6)', '1e7'],
  ['%,_)', '1e5'],
] as const

const scaleOf = (value: string): string =>
  String.raw`coalesce(TRY_CAST(regexp_extract(typeof(${value}), ',(\d+)', 1) AS INTEGER), 0)`
/** All digits of a decimal, without its point. */
const digitsOf = (value: string): string => `CAST(replace(${TEXT(value)}, '.', '') AS HUGEINT)`

/** Of a quotient: as wide as it may be, with four digits more behind the point than the dividend has. */
const quotientType = (dividend: string, factor = ''): string =>
  `coalesce(${dividend} * 1.0000 * CAST(1 AS DECIMAL(19, 0))${factor}, CAST(NULL AS DECIMAL(5, 4)))`

/**
 * DuckDB divides floating-point numbers alone: where these have too few digits, whole numbers are divided here, and where such
 * do not fit, it stays as it is. In a list, each value is named once. It takes fifteen times as long.
 */
function exactQuotient(values: string, factor = ''): string {
  const rounded = `v.dividend / v.divisor${factor && ' * v.factor'}`
  const type = quotientType('v.dividend', factor && ' * v.factor')
  const found = `cast_to_type(${rounded}, ${type})`
  const isDouble = `typeof(${found}) IN ('DOUBLE', 'FLOAT') OR typeof(v.divisor) IN ('DOUBLE', 'FLOAT')`
  const isShort = SHORT.map(([form, most]) => `typeof(${found}) LIKE '${form}' AND abs(${rounded}) < ${most}`)
  const zeros = `CAST('1' || repeat('0', ${scaleOf('v.divisor')} + 4) AS HUGEINT)`
  const dividend = `abs(${digitsOf('v.dividend')}${factor && ` * ${digitsOf('v.factor')}`} * ${zeros})`
  const divisor = `abs(${digitsOf('v.divisor')})`
  const whole = `CAST((2 * ${dividend} + ${divisor}) // (2 * ${divisor}) AS DECIMAL(38, 0))`
  const unit = `cast_to_type('0.' || repeat('0', ${scaleOf(found)} - 1) || '1', ${found})`
  const exact = `if(${rounded} < 0, -1, 1) * ${whole} * ${unit}`
  return `list_transform([{${values}}], lambda v: CASE WHEN ${isDouble} OR ${isShort.join(' OR ')} THEN ${found}
    ELSE coalesce(cast_to_type(TRY(${exact}), ${found}), ${found}) END)[1]`
}

/** Types of which DuckDB's text is not the other server's. */
const OTHER_TEXTS = `'DOUBLE', 'FLOAT', 'BOOLEAN', 'TIMESTAMP WITH TIME ZONE'`
/** Truth is 1 or 0; a number has no .0, and 1e20 no sign; a moment has no offset. */
const inTheirText = (text: string): string =>
  [
    ['^true$', '1'],
    ['^false$', '0'],
    [String.raw`\.0$`, ''],
    [String.raw`e\+?(-?)0?(\d)`, String.raw`e\1\2`],
    [String.raw`(:\d\d(?:\.\d+)?)[-+][\d:]+$`, String.raw`\1`],
  ].reduce((written, [pattern, other]) => `regexp_replace(${written}, '${pattern}', '${other}')`, text)

const NUMBER_IN_TEXT = String.raw`^\s*[-+]?(?:\d+\.?\d*|\.\d+)`

/** The number at the beginning of a text; 0 where there is none. */
const WHOLE_IN_TEXT = String.raw`coalesce(TRY_CAST(nullif(regexp_extract(x, '^\s*[-+]?\d+'), '') AS HUGEINT), 0)`

const WITH_COMMAS = `format('{:,.' || CAST(greatest(d, 0) AS INTEGER) || 'f}', round(CAST(x AS DOUBLE), CAST(greatest(d, 0) AS INTEGER)))`
/** Locales by the mark before their decimals and the one between groups; all others write 1,234.5. */
const MARKS: Readonly<Record<string, string>> = {
  ',.': 'da_DK de_BE de_DE de_LU es_AR es_ES hr_HR hu_HU id_ID nb_NO no_NO ro_RO tr_TR uk_UA vi_VN',
  ', ': 'cs_CZ fi_FI ru_RU sv_SE',
  ',': 'de_AT el_GR fr_BE fr_CA fr_CH fr_FR fr_LU it_IT nl_NL pl_PL pt_BR pt_PT',
  ".'": 'de_CH',
}
const MARKS_OF_LOCALE = `(CASE ${Object.entries(MARKS)
  .map(
    ([marks, locales]) =>
      `WHEN list_contains(string_split('${locales}', ' '), locale) THEN '${marks.replace("'", "''")}'`,
  )
  .join(' ')} ELSE '.,' END)`

/** The bits of a negative number, as those of one without a sign. */
const inUnsigned = (value: string): string =>
  `CAST(${value} + CASE WHEN ${value} < 0 THEN 18446744073709551616 ELSE 0 END AS UBIGINT)`

/**
 * What MySQL means by functions and operators that DuckDB has not, or has with another meaning. Statements on connections
 * that speak MySQL's words are rendered into calls of these (`rendering/mysql/`); no other statement changes by them.
 */
const FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  text: [
    `(x) AS CASE WHEN typeof(x) IN (${OTHER_TEXTS}) THEN ${inTheirText(TEXT('x'))} ELSE ${TEXT('x')} END`,
  ],
  number: [
    `(x VARCHAR) AS coalesce(TRY_CAST(nullif(regexp_extract(x, '${NUMBER_IN_TEXT}'), '') AS DOUBLE), 0 * length(x))`,
    '(x BOOLEAN) AS CAST(x AS INTEGER)',
    '(x BIGINT) AS x',
    `(x BLOB) AS CAST('0x' || hex(x) AS UBIGINT)`,
    `(x DATE) AS CAST(strftime(x, '%Y%m%d') AS BIGINT)`,
    `(x TIMESTAMP) AS CAST(strftime(x, '%Y%m%d%H%M%S') AS BIGINT)`,
    `(x TIMESTAMPTZ) AS CAST(strftime(CAST(x AS TIMESTAMP), '%Y%m%d%H%M%S') AS BIGINT)`,
    `(x TIME) AS CAST(strftime(DATE '2000-01-01' + x, '%H%M%S') AS BIGINT)`,
    '(x) AS x',
  ],
  divide: [
    `(a, b) AS cast_to_type(a / nullif(b, 0), ${quotientType('a')})`,
    `(a, b, c) AS cast_to_type(a / nullif(b, 0) * c, ${quotientType('a', ' * c')})`,
  ],
  divide_exactly: [
    `(a, b) AS ${exactQuotient(`'dividend': a, 'divisor': nullif(b, 0)`)}`,
    `(a, b, c) AS ${exactQuotient(`'dividend': a, 'divisor': nullif(b, 0), 'factor': c`, 'factor')}`,
  ],
  divide_floating: [
    '(a, b) AS CAST(a AS DOUBLE) / nullif(b, 0)',
    '(a, b, c) AS CAST(a AS DOUBLE) / nullif(b, 0) * c',
  ],
  div: [
    `(a, b) AS CASE WHEN typeof(a) LIKE '%INT%' AND typeof(b) LIKE '%INT%' THEN CAST(a // nullif(b, 0) AS BIGINT)
      ELSE CAST(trunc(a / nullif(b, 0)) AS BIGINT) END`,
  ],
  mod: ['(a, b) AS a % nullif(b, 0)'],
  xor_bits: ['(a, b) AS xor(CAST(a AS BIGINT), CAST(b AS BIGINT))'],
  true: [
    `(x VARCHAR) AS CASE WHEN x IS NOT NULL THEN
      coalesce(TRY_CAST(nullif(regexp_extract(x, '${NUMBER_IN_TEXT}'), '') AS DOUBLE), 0) <> 0 END`,
    '(x) AS CAST(x AS BOOLEAN)',
  ],
  xor: ['(a, b) AS CAST(a AS BOOLEAN) <> CAST(b AS BOOLEAN)'],
  avg: ['(x) AS mysql_divide_exactly(sum(x), count(x))'],
  greatest: ['(items) AS CASE WHEN list_count(items) = len(items) THEN list_max(items) END'],
  least: ['(items) AS CASE WHEN list_count(items) = len(items) THEN list_min(items) END'],
  together: ['(items) AS CASE WHEN list_count(items) = len(items) THEN items END'],
  joined: [
    `(items, separator) AS nullif(array_to_string(CASE WHEN replace(typeof(items), '[]', '') IN (${OTHER_TEXTS})
      THEN list_transform(items, lambda x: ${inTheirText(TEXT('x'))}) ELSE CAST(items AS VARCHAR[]) END, separator), '')`,
  ],

  signed: [
    `(x VARCHAR) AS CAST(${WHOLE_IN_TEXT} AS BIGINT)`,
    `(x DATE) AS CAST(strftime(x, '%Y%m%d') AS BIGINT)`,
    `(x TIMESTAMP) AS CAST(strftime(x, '%Y%m%d%H%M%S') AS BIGINT)`,
    '(x) AS CAST(x AS BIGINT)',
  ],
  unsigned: [
    `(x VARCHAR) AS ${inUnsigned(WHOLE_IN_TEXT)}`,
    `(x DATE) AS CAST(strftime(x, '%Y%m%d') AS UBIGINT)`,
    `(x TIMESTAMP) AS CAST(strftime(x, '%Y%m%d%H%M%S') AS UBIGINT)`,
    `(x) AS ${inUnsigned('CAST(x AS HUGEINT)')}`,
  ],
  bits: [`(x) AS ${inUnsigned('CAST(x AS HUGEINT)')}`],
  inverted: ['(x) AS xor(mysql_bits(x), CAST(18446744073709551615 AS UBIGINT))'],
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
    `(x, d) AS ${WITH_COMMAS}`,
    `(x, d, locale) AS replace(replace(replace(${WITH_COMMAS}, ',', ' '), '.', ${MARKS_OF_LOCALE}[1]), ' ', ${MARKS_OF_LOCALE}[2:])`,
  ],
  hex: [
    `(x) AS CASE WHEN typeof(x) IN ('DOUBLE', 'FLOAT') THEN hex(CAST(round(TRY_CAST(${TEXT('x')} AS DOUBLE)) AS BIGINT))
      ELSE hex(x) END`,
  ],
  ascii: [
    `(s) AS CASE WHEN ascii(s) < 128 THEN ascii(s) ELSE CAST('0x' || left(hex(${TEXT('s')}), 2) AS INTEGER) END`,
  ],
  bin: ['(n) AS bin(CAST(n AS BIGINT))'],
  oct: [`(n) AS format('{:o}', CAST(n AS BIGINT))`],
  conv: [
    `(n, origin, base) AS upper(to_base(CAST(list_transform([upper(split_part(${TEXT('n')}, '.', 1))], lambda digits:
      list_sum(list_transform(range(1, len(digits) + 1), lambda i:
        (strpos('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ', digits[i]) - 1) * pow(origin, len(digits) - i))))[1] AS BIGINT), CAST(base AS INTEGER)))`,
  ],

  length: ['(x BLOB) AS octet_length(x)', `(x VARCHAR) AS strlen(x)`, '(x) AS strlen(mysql_text(x))'],
  char_length: [`(x) AS length(${TEXT('x')})`],
  left: [`(s, n) AS left(${TEXT('s')}, CASE WHEN n > 0 THEN CAST(n AS BIGINT) ELSE 0 END)`],
  right: [`(s, n) AS right(${TEXT('s')}, CASE WHEN n > 0 THEN CAST(n AS BIGINT) ELSE 0 END)`],
  substr: [
    `(s, start) AS CASE WHEN start = 0 THEN '' ELSE substr(${TEXT('s')}, CAST(start AS BIGINT)) END`,
    `(s, start, number) AS CASE WHEN start = 0 OR number <= 0 THEN '' ELSE substr(${TEXT('s')}, CAST(start AS BIGINT), CAST(number AS BIGINT)) END`,
  ],
  lpad: [
    `(s, n, padding) AS CASE WHEN n >= 0 AND (${TEXT('padding')} <> '' OR length(${TEXT('s')}) >= n)
      THEN lpad(${TEXT('s')}, CAST(n AS INTEGER), ${TEXT('padding')}) END`,
  ],
  rpad: [
    `(s, n, padding) AS CASE WHEN n >= 0 AND (${TEXT('padding')} <> '' OR length(${TEXT('s')}) >= n)
      THEN rpad(${TEXT('s')}, CAST(n AS INTEGER), ${TEXT('padding')}) END`,
  ],
  replace: [`(s, a, b) AS replace(${TEXT('s')}, ${TEXT('a')}, ${TEXT('b')})`],
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
