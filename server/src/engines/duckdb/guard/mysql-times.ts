const MOMENT = (value: string): string => `TRY_CAST(${value} AS TIMESTAMP)`
const TEXT = (value: string): string => `CAST(${value} AS VARCHAR)`
const rounded = (amount: string, type: string): string => `CAST(round(CAST(${amount} AS DOUBLE)) AS ${type})`

/** Numbers of a text such as `1 10:30:00`, from its end. */
const numbersIn = (text: string): string =>
  String.raw`list_reverse(regexp_extract_all(CAST(${text} AS VARCHAR), '\d+'))`
const signOf = (text: string): string => `CASE WHEN CAST(${text} AS VARCHAR) LIKE '-%' THEN -1 ELSE 1 END`
const part = (at: number): string => `mysql_part(n, ${at})`
const MICRO = 'to_microseconds(mysql_micro(n))'

/** Of several units at once, by the parts of their text. */
const COMPOUND: Readonly<Record<string, string>> = {
  year_month: `to_years(${part(2)}) + to_months(${part(1)})`,
  day_hour: `to_days(${part(2)}) + to_hours(${part(1)})`,
  day_minute: `to_days(${part(3)}) + to_hours(${part(2)}) + to_minutes(${part(1)})`,
  day_second: `to_days(${part(4)}) + to_hours(${part(3)}) + to_minutes(${part(2)}) + to_seconds(${part(1)})`,
  day_microsecond: `to_days(${part(5)}) + to_hours(${part(4)}) + to_minutes(${part(3)}) + to_seconds(${part(2)}) + ${MICRO}`,
  hour_minute: `to_hours(${part(2)}) + to_minutes(${part(1)})`,
  hour_second: `to_hours(${part(3)}) + to_minutes(${part(2)}) + to_seconds(${part(1)})`,
  hour_microsecond: `to_hours(${part(4)}) + to_minutes(${part(3)}) + to_seconds(${part(2)}) + ${MICRO}`,
  minute_second: `to_minutes(${part(2)}) + to_seconds(${part(1)})`,
  minute_microsecond: `to_minutes(${part(3)}) + to_seconds(${part(2)}) + ${MICRO}`,
  second_microsecond: `to_seconds(${part(2)}) + ${MICRO}`,
}
const SINGLE: Readonly<Record<string, string>> = {
  year: `to_years(${rounded('n', 'INTEGER')})`,
  quarter: `to_months(3 * ${rounded('n', 'INTEGER')})`,
  month: `to_months(${rounded('n', 'INTEGER')})`,
  week: `to_days(7 * ${rounded('n', 'INTEGER')})`,
  day: `to_days(${rounded('n', 'INTEGER')})`,
  hour: `to_hours(${rounded('n', 'BIGINT')})`,
  minute: `to_minutes(${rounded('n', 'BIGINT')})`,
  second: 'to_seconds(CAST(n AS DOUBLE))',
  microsecond: `to_microseconds(${rounded('n', 'BIGINT')})`,
}

const INTERVALS = Object.fromEntries(
  Object.entries({ ...SINGLE, ...COMPOUND }).map(([unit, body]) => [`interval_${unit}`, [`(n) AS ${body}`]]),
)

/** A date plus days is a date; a date plus hours is not. */
const sums = (sign: '+' | '-') => ({
  days: [
    `(d DATE, i) AS CAST(d ${sign} i AS DATE)`,
    `(d TIMESTAMP, i) AS d ${sign} i`,
    `(d VARCHAR, i) AS ${MOMENT('d')} ${sign} i`,
    `(d, i) AS ${MOMENT('d')} ${sign} i`,
  ],
  time: [
    `(d TIME, i) AS d ${sign} i`,
    `(d VARCHAR, i) AS ${MOMENT('d')} ${sign} i`,
    `(d, i) AS ${MOMENT('d')} ${sign} i`,
  ],
})

const unitFirst = (forms: readonly string[]): string[] =>
  forms.map((form) => form.replace(/^\((.*?), i\)/, '(i, $1)'))

/** Weeks begin on Monday in odd modes, on Sunday in the others. */
const SHIFT = 'to_days(1 - m % 2)'
/** The day that decides of which year a week is, by its mode: the first one, or the one in its middle. */
const ANCHOR = `(date_trunc('week', ${MOMENT('d')} + ${SHIFT}) - ${SHIFT} + to_days(CASE WHEN m IN (1, 3, 4, 6) THEN 3 ELSE 0 END))`
const IN_YEAR = `(dayofyear(${ANCHOR}) - 1) // 7 + 1`
const FROM_ZERO = `CAST(floor(date_diff('day', date_trunc('year', ${MOMENT('d')}), ${ANCHOR}) / 7) AS BIGINT) + 1`
const WEEK = `CASE WHEN m IN (2, 3, 6, 7) THEN ${IN_YEAR} ELSE ${FROM_ZERO} END`
const YEARWEEK = `year(${ANCHOR}) * 100 + ${IN_YEAR}`

const withMode = (body: string, mode: number): string => body.replaceAll(/\bm\b/g, String(mode))

const DAYS = `['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']`
const WRITTEN_DAY = String.raw`list_position(${DAYS}, lower(regexp_extract(t, '(\w+)\s*$', 1)))`
const WRITTEN_YEAR = 'make_date(CAST(left(t, 4) AS BIGINT), 1, 1)'
const WRITTEN_WEEK = 'CAST(substr(t, 5, 2) AS INTEGER)'

/** In characters of its own, which no format has, is marked what DuckDB has no code for. */
const MARK = '\u{e000}'
const two = (value: string): string => `lpad(CAST(${value} AS VARCHAR), 2, '0')`
const SUFFIXES: Readonly<Record<number, string>> = {
  1: 'st',
  2: 'nd',
  3: 'rd',
  21: 'st',
  22: 'nd',
  23: 'rd',
  31: 'st',
}
const DAYS_OF_MONTH = Array.from({ length: 31 }, (_, at) => `'${at + 1}${SUFFIXES[at + 1] ?? 'th'}'`)
/** What each code stands for, of a moment `v`. */
const CODES: Readonly<Record<string, string>> = {
  D: `[${DAYS_OF_MONTH.join(', ')}][day(v)]`,
  u: two('mysql_week_1(v)'),
  V: two('mysql_week_2(v)'),
  X: `CAST(year(${withMode(ANCHOR, 0).replaceAll(MOMENT('d'), 'v')}) AS VARCHAR)`,
}
const marked = (text: string, codes = Object.keys(CODES)): string =>
  codes.reduce((whole, code) => `replace(${whole}, '${MARK}${code}', ${CODES[code]})`, text)

/** With one such code alone, which is the usual case: `v` stands in it few times, and needs no list around it. */
const MARKED_ONCE = Object.fromEntries(
  Object.keys(CODES).map((code) => [
    `date_format_marked_${code.codePointAt(0)}`,
    [`(d, f) AS ${marked('strftime(v, f)', [code]).replaceAll(/\bv\b/g, MOMENT('d'))}`],
  ]),
)

/** By the mode, where that is written as a number: the moment is named once or twice, so that nested calls stay short. */
const WEEKS = Object.fromEntries(
  Array.from({ length: 8 }, (_, mode) => {
    const [isOfYear, isPlain] = [[2, 3, 6, 7].includes(mode), mode === 0 || mode === 5]
    const plain = `CAST(strftime(${MOMENT('d')}, '${mode === 0 ? '%U' : '%W'}') AS BIGINT)`
    return [`week_${mode}`, [`(d) AS ${isPlain ? plain : withMode(isOfYear ? IN_YEAR : FROM_ZERO, mode)}`]]
  }),
)

/** Works a value out once that a body names often, as `v`: a macro would work it out wherever it stands. */
const once = (value: string, body: string): string => `list_transform([${value}], lambda v: ${body})[1]`

/** As `838:59:59`: a time of day ends before that, and is never negative. */
const asTime = (micros: string): string =>
  `CASE WHEN ${micros} < 0 THEN '-' ELSE '' END || lpad(CAST(abs(${micros}) // 3600000000 AS VARCHAR), CAST(greatest(2, length(CAST(abs(${micros}) // 3600000000 AS VARCHAR))) AS INTEGER), '0')
    || ':' || lpad(CAST(abs(${micros}) // 60000000 % 60 AS VARCHAR), 2, '0') || ':' || lpad(CAST(abs(${micros}) // 1000000 % 60 AS VARCHAR), 2, '0')
    || CASE WHEN abs(${micros}) % 1000000 = 0 THEN '' ELSE '.' || lpad(CAST(abs(${micros}) % 1000000 AS VARCHAR), 6, '0') END`

/** How far a moment is in its month. */
const inMonth = (moment: string): string => `(${moment} - date_trunc('month', ${moment}))`
/** Whole months: from January 31 to February 29 there is none. */
const MONTHS_BETWEEN = `(a, b) AS list_transform([{'begin': a, 'until': b}], lambda v: date_diff('month', v.begin, v.until)
  - CASE WHEN v.until >= v.begin AND ${inMonth('v.until')} < ${inMonth('v.begin')} THEN 1
    WHEN v.until < v.begin AND ${inMonth('v.until')} > ${inMonth('v.begin')} THEN -1 ELSE 0 END)[1]`

/** A time is no moment: it may have more hours than a day, which take the place of marks, and be negative. */
const timeInFormat = (format: string): string =>
  `strftime(TIMESTAMP '2000-01-01' + to_microseconds(abs(v)), ${format})`
const HOURS = `CAST(abs(v) // 3600000000 AS VARCHAR)`
const TIME_IN_FORMAT = `CASE WHEN v >= 0 AND v < 86400000000 THEN ${timeInFormat('f')}
  ELSE CASE WHEN v < 0 THEN '-' ELSE '' END || replace(replace(${timeInFormat('marked')}, '${MARK}k', ${HOURS}),
    '${MARK}H', lpad(${HOURS}, CAST(greatest(2, length(${HOURS})) AS INTEGER), '0')) END`

const field = (name: string): string[] => [`(d) AS ${name}(${MOMENT('d')})`]
/** Of a moment or of a time, which may be longer than a day as a text; `unit` in microseconds. */
const clock = (name: string, unit: number, most = Number.POSITIVE_INFINITY): string[] => {
  const inText = `abs(mysql_time_us(d)) // ${unit}${most === Number.POSITIVE_INFINITY ? '' : ` % ${most}`}`
  const exact = name === 'microsecond' ? ' % 1000000' : ''
  return [
    `(d TIME) AS ${name}(d)${exact}`,
    `(d VARCHAR) AS CASE WHEN d LIKE '____-%' THEN ${name}(${MOMENT('d')})${exact} ELSE ${inText} END`,
    `(d) AS ${name}(${MOMENT('d')})${exact}`,
  ]
}
const number = (format: string): string[] => [`(d) AS CAST(strftime(${MOMENT('d')}, '${format}') AS BIGINT)`]

const DATE = (value: string): string => `CAST(${MOMENT(value)} AS DATE)`
/** Days from the year 0 to 1970. */
const EPOCH_DAY = 719528

/** Those that others call come first: DuckDB looks for them when it makes a function. */
export const TIME_FUNCTIONS: Readonly<Record<string, readonly string[]>> = {
  part: [`(n, k) AS coalesce(CAST(${numbersIn('n')}[k] AS BIGINT), 0) * ${signOf('n')}`],
  micro: [`(n) AS CAST(rpad(coalesce(${numbersIn('n')}[1], '0'), 6, '0') AS BIGINT) * ${signOf('n')}`],
  time_us: [
    `(t) AS ${once(
      TEXT('t'),
      String.raw`CASE WHEN v LIKE '____-%' THEN epoch_us(CAST(${MOMENT('v')} AS TIME)) ELSE ${signOf('v')} * CAST(round((
      coalesce(TRY_CAST(nullif(regexp_extract(v, '^-?(\d+) ', 1), '') AS BIGINT), 0) * 86400
      + coalesce(TRY_CAST(nullif(regexp_extract(v, '(\d+):\d+', 1), '') AS BIGINT), 0) * 3600
      + coalesce(TRY_CAST(nullif(regexp_extract(v, '\d+:(\d+)', 1), '') AS BIGINT), 0) * 60
      + coalesce(TRY_CAST(nullif(regexp_extract(v, '\d+:\d+:([\d.]+)', 1), '') AS DOUBLE), 0)) * 1000000) AS BIGINT) END`,
    )}`,
  ],
  time_text: [`(us) AS ${once('us', asTime('v'))}`],
  moment_us: [
    `(t) AS CASE WHEN ${TEXT('t')} LIKE '____-%' THEN epoch_us(${MOMENT(TEXT('t'))}) ELSE mysql_time_us(t) END`,
  ],
  ...WEEKS,
  week: [`(d) AS mysql_week_0(d)`, `(d, m) AS ${WEEK}`],
  yearweek: [`(d) AS ${withMode(YEARWEEK, 0)}`, `(d, m) AS ${YEARWEEK}`],
  of_zone: [zoned('-', (zone) => `d AT TIME ZONE ${zone} AT TIME ZONE 'UTC'`)],
  in_zone: [zoned('+', (zone) => `d AT TIME ZONE 'UTC' AT TIME ZONE ${zone}`)],
  ...INTERVALS,
  plus_days: sums('+').days,
  minus_days: sums('-').days,
  plus_time: sums('+').time,
  minus_time: sums('-').time,
  plus_days_of: unitFirst(sums('+').days),
  plus_time_of: unitFirst(sums('+').time),
  date: [`(d) AS ${DATE('d')}`],
  time: [
    '(d TIME) AS d',
    `(d VARCHAR) AS coalesce(CAST(${MOMENT('d')} AS TIME), TRY_CAST(d AS TIME))`,
    `(d) AS CAST(${MOMENT('d')} AS TIME)`,
  ],
  timestamp: [`(d) AS ${MOMENT('d')}`, `(d, t) AS ${MOMENT('d')} + to_microseconds(mysql_time_us(t))`],
  year: field('year'),
  month: field('month'),
  day: field('day'),
  dayofmonth: field('day'),
  dayofyear: field('dayofyear'),
  quarter: field('quarter'),
  monthname: field('monthname'),
  dayname: field('dayname'),
  last_day: field('last_day'),
  dayofweek: [`(d) AS dayofweek(${MOMENT('d')}) + 1`],
  weekday: [`(d) AS isodow(${MOMENT('d')}) - 1`],
  hour: clock('hour', 3_600_000_000),
  minute: clock('minute', 60_000_000, 60),
  second: clock('second', 1_000_000, 60),
  microsecond: clock('microsecond', 1, 1_000_000),
  year_month: number('%Y%m'),
  day_hour: number('%d%H'),
  day_minute: number('%d%H%M'),
  day_second: number('%d%H%M%S'),
  hour_minute: number('%H%M'),
  hour_second: number('%H%M%S'),
  minute_second: number('%M%S'),
  weekofyear: [`(d) AS ${withMode(IN_YEAR, 3)}`],
  day_of_week_2: [
    `(t) AS ${WRITTEN_YEAR} + CAST((7 - dayofweek(${WRITTEN_YEAR})) % 7 + 7 * (${WRITTEN_WEEK} - 1) + ${WRITTEN_DAY} - 1 AS INTEGER)`,
  ],
  day_of_week_3: [
    `(t) AS ${WRITTEN_YEAR} + 3 - CAST(isodow(${WRITTEN_YEAR} + 3) - 1 AS INTEGER) + CAST(7 * (${WRITTEN_WEEK} - 1) + (${WRITTEN_DAY} + 5) % 7 AS INTEGER)`,
  ],
  date_format: [`(d, f) AS strftime(${MOMENT('d')}, f)`],
  ...MARKED_ONCE,
  date_format_marked: [`(d, f) AS ${once(MOMENT('d'), marked('strftime(v, f)'))}`],
  time_format: [
    // In views that were made before times of more than a day were written.
    `(t, f) AS strftime(TIMESTAMP '2000-01-01' + to_microseconds(mysql_time_us(t)), f)`,
    `(t, f, marked) AS ${once('mysql_time_us(t)', TIME_IN_FORMAT)}`,
  ],
  from_unixtime: [
    '(n) AS CAST(to_timestamp(n) AS TIMESTAMP)',
    '(n, f) AS strftime(CAST(to_timestamp(n) AS TIMESTAMP), f)',
  ],
  from_unixtime_marked: ['(n, f) AS mysql_date_format_marked(CAST(to_timestamp(n) AS TIMESTAMP), f)'],
  unix_timestamp: [
    '() AS CAST(floor(epoch(now())) AS BIGINT)',
    `(t) AS CAST(floor(epoch(CAST(${MOMENT('t')} AS TIMESTAMPTZ))) AS BIGINT)`,
  ],
  months_between: [MONTHS_BETWEEN],
  quarters_between: ['(a, b) AS mysql_months_between(a, b) // 3'],
  years_between: ['(a, b) AS mysql_months_between(a, b) // 12'],
  to_days: [`(d) AS date_diff('day', DATE '1970-01-01', ${DATE('d')}) + ${EPOCH_DAY}`],
  to_seconds: [`(d) AS CAST(floor(epoch(${MOMENT('d')})) AS BIGINT) + ${EPOCH_DAY * 86_400}`],
  datediff: [`(a, b) AS date_diff('day', ${DATE('b')}, ${DATE('a')})`],
  makedate: [
    '(y, n) AS CASE WHEN n > 0 THEN make_date(CAST(y AS BIGINT), 1, 1) + CAST(n - 1 AS INTEGER) END',
  ],
  time_to_sec: ['(t) AS mysql_time_us(t) // 1000000'],
  sec_to_time: ['(n) AS mysql_time_text(CAST(CAST(n AS DECIMAL(30, 6)) * 1000000 AS BIGINT))'],
  maketime: [
    `(h, m, s) AS CASE WHEN m BETWEEN 0 AND 59 AND s >= 0 AND s < 60 THEN
      mysql_time_text(CAST((CAST(h AS BIGINT) * 3600 + CASE WHEN h < 0 THEN -1 ELSE 1 END * (m * 60 + s)) * 1000000 AS BIGINT)) END`,
  ],
  timediff: ['(a, b) AS mysql_time_text(mysql_moment_us(a) - mysql_moment_us(b))'],
  addtime: shifted('+'),
  subtime: shifted('-'),
  period_add: [
    '(p, n) AS ((p // 100 * 12 + p % 100 - 1 + n) // 12) * 100 + (p // 100 * 12 + p % 100 - 1 + n) % 12 + 1',
  ],
  period_diff: ['(a, b) AS (a // 100 * 12 + a % 100) - (b // 100 * 12 + b % 100)'],
  convert_tz: [`(d, origin, target) AS mysql_in_zone(mysql_of_zone(${MOMENT('d')}, origin), target)`],
}

function shifted(sign: '+' | '-'): string[] {
  return [
    `(d TIMESTAMP, t) AS d ${sign} to_microseconds(mysql_time_us(t))`,
    `(d TIME, t) AS mysql_time_text(epoch_us(d) ${sign} mysql_time_us(t))`,
    `(d VARCHAR, t) AS CASE WHEN d LIKE '____-%' THEN CAST(${MOMENT('d')} ${sign} to_microseconds(mysql_time_us(t)) AS VARCHAR)
      ELSE mysql_time_text(mysql_time_us(d) ${sign} mysql_time_us(t)) END`,
  ]
}

/** Zones are names or offsets such as +02:00. */
function zoned(sign: '+' | '-', named: (zone: string) => string): string {
  const isOffset = String.raw`regexp_full_match(zone, '[+-]\d{1,2}:\d\d')`
  const offset = `CASE WHEN ${isOffset} THEN zone ELSE '+00:00' END`
  const minutes = `to_minutes(CASE WHEN ${offset} LIKE '-%' THEN -1 ELSE 1 END * (CAST(split_part(ltrim(${offset}, '+-'), ':', 1) AS BIGINT) * 60 + CAST(split_part(${offset}, ':', 2) AS BIGINT)))`
  const name = `CASE WHEN ${isOffset} OR zone = 'SYSTEM' THEN 'UTC' ELSE zone END`
  return `(d, zone) AS (${named(name)}) ${sign} ${minutes}`
}
