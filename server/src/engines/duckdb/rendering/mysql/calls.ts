import { quoteIdentifier, quoteString, type TokenEdits, TOKEN } from '@boathouse/sql'
import { cast, convert } from './casts.ts'
import { formatted, parsed, timeFormatted } from './date-formats.ts'
import { addUnits, dateSum, difference, isUnit, noteMoment, noteParameter } from './intervals.ts'
import { endOfName, nameBetween } from './named-tables.ts'
import { refuse } from './refusal.ts'
import { type Call, callAt, type Source } from './source.ts'
import { noteJoined, noteText } from './texts.ts'

type Rule = (source: Source, call: Call, edits: TokenEdits) => void

/** Calls of another function with the same arguments. */
const renamed =
  (name: string): Rule =>
  (_, call, edits) =>
    edits.set(call.name, name)

/** As `renamed`, of values of several types. */
const ofTypes =
  (name: string): Rule =>
  (source, call, edits) => {
    edits.set(call.name, name)
    for (const arg of call.args) noteParameter(source, arg, edits)
  }

/** As `renamed`, of moments: a text among its arguments gets a type. */
const ofMoments =
  (name: string): Rule =>
  (source, call, edits) => {
    edits.set(call.name, name)
    for (const arg of call.args) noteMoment(source, arg, edits)
  }

/** A list takes the place of the arguments. */
const ofList =
  (name: string): Rule =>
  (_, { name: at, opening, closing, args }, edits) => {
    if (args.length === 0) return
    edits.set(at, name)
    edits.set(opening, '([')
    edits.set(closing, '])')
  }

/** As `renamed`, of texts: those of its arguments that say so get the text that the other server gives them. */
const ofTexts =
  (name: string, from = 0, count = 1): Rule =>
  (source, call, edits) => {
    edits.set(call.name, name)
    for (const arg of call.args.slice(from, from + count)) noteText(source, arg, edits)
  }

const concat: Rule = (source, { name, args }, edits) => {
  if (args.length === 0) return
  edits.set(name, '')
  noteJoined(source, args, edits)
}

const chars: Rule = (source, { name, closing, args }, edits) => {
  if (args.length === 0 || source.word(closing - 2) === 'USING') return
  edits.set(name, 'concat')
  for (const [first, last] of args) edits.enclose(first, last, { before: 'chr(', after: ')' })
}

/** A text that is neither a number nor a moment. */
const isWords = (text: string | null): boolean =>
  text !== null && !/^\s*[-+]?[\d.]+(?:[-:T e][-+\d:. ]*)?\s*$/.test(text)

/** Values of which one is a word are texts: IFNULL(number, '-'). */
function noteOneType(source: Source, values: Call['args'], edits: TokenEdits): void {
  if (!values.some(([first, last]) => first === last && isWords(source.literal(first)))) return
  for (const [first, last] of values)
    if (first !== last || source.literal(first) === null) noteText(source, [first, last], edits)
}

const ofOneType =
  (from: number): Rule =>
  (source, { args }, edits) =>
    noteOneType(source, args.slice(from), edits)

/** CASE … THEN number ELSE 'n/a' END */
export const noteCase = (source: Source, at: number, edits: TokenEdits): void =>
  noteOneType(source, source.valuesOfCase(at), edits)

/** TRIM([BOTH|LEADING|TRAILING] [text] FROM value) */
const trim: Rule = (source, { name, opening, closing, args }, edits) => {
  const [value] = args
  if (!value || args.length !== 1) return
  const side = /^(?:BOTH|LEADING|TRAILING)$/.test(source.word(opening + 1)) ? source.word(opening + 1) : null
  let from = -1
  for (let at = opening + 1; at < closing && from < 0; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === 'FROM') from = at
  }
  if (from < 0) return noteText(source, value, edits)
  const first = opening + (side ? 2 : 1)
  edits.set(name, `mysql_trim_${(side ?? 'both').toLowerCase()}`)
  if (side) edits.set(opening + 1, '')
  edits.set(from, first === from ? `' ',` : ',')
}

/** EXTRACT(UNIT FROM value) */
const extract: Rule = (source, { name, opening, args }, edits) => {
  const unit = source.word(opening + 1)
  if (args.length !== 1 || !isUnit(unit) || source.word(opening + 2) !== 'FROM') return
  edits.set(name, `mysql_${unit.toLowerCase()}`)
  edits.replace(opening + 1, opening + 2, '')
}

/** COUNT(DISTINCT a, b): of rows in which neither is null. */
const count: Rule = (source, { opening, closing, args }, edits) => {
  if (args.length < 2 || source.word(opening + 1) !== 'DISTINCT') return
  edits.set(opening + 1, 'DISTINCT mysql_together([')
  for (const [at, [first, last]] of args.entries())
    edits.enclose(at === 0 ? first + 1 : first, last, { before: 'CAST(', after: ' AS VARCHAR)' })
  edits.set(closing, ']))')
}

type Span = readonly [first: number, last: number]

/** Between commas that stand in no parentheses. */
function listed(source: Source, [first, last]: Span): readonly Span[] {
  const items: Span[] = []
  let begins = first
  for (let at = first; at <= last + 1; at++) {
    if (at <= last && source.word(at) === '(') at = Math.max(at, source.partner(at))
    if (at <= last && source.word(at) !== ',') continue
    items.push([begins, at - 1])
    begins = at + 1
  }
  return items
}

const NO_PLACE =
  'GROUP_CONCAT is ordered by a position only where a column stands there. Write what to order by.'

/** ORDER BY 1: by the first of the values. DuckDB would order by the number 1, which is the same for all rows. */
function notePositions(source: Source, spans: { args: Span; order: Span }, edits: TokenEdits): void {
  if (spans.order[0] > spans.order[1]) return
  const values = listed(source, spans.args)
  for (const [first] of listed(source, spans.order)) {
    const place = source.kind(first) === TOKEN.number ? Number(source.written(first, first)) : null
    if (place === null || !/^(?:|,|ASC|DESC|SEPARATOR|\)|NULLS)$/.test(source.word(first + 1))) continue
    const [begin = -1, end = -1] = values[place - 1] ?? []
    const isColumn = begin >= 0 && source.isName(begin) && endOfName(source, begin) === end
    if (!isColumn) return refuse(source, edits, NO_PLACE)
    edits.set(first, nameBetween(source, begin, end))
  }
}

/** GROUP_CONCAT([DISTINCT] values [ORDER BY …] [SEPARATOR 'text']) */
const groupConcat: Rule = (source, { name, opening, closing }, edits) => {
  const hasSeparator = source.word(closing - 2) === 'SEPARATOR' && source.literal(closing - 1) !== null
  const end = hasSeparator ? closing - 2 : closing
  const separator = quoteString(hasSeparator ? (source.literal(closing - 1) ?? '').replaceAll('\0', '') : ',')
  const isDistinct = source.word(opening + 1) === 'DISTINCT'
  const first = opening + (isDistinct ? 2 : 1)
  let order = end
  for (let at = first; at < end && order === end; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === 'ORDER' && source.word(at + 1) === 'BY') order = at
  }
  if (order <= first) return
  const values = listed(source, [first, order - 1])
  notePositions(source, { args: [first, order - 1], order: [order + 2, end - 1] }, edits)
  if (hasSeparator) edits.replace(end, closing - 1, '')
  if (values.length > 1 || !isDistinct || order === end) noteJoined(source, values, edits)
  if (isDistinct && order < end) {
    edits.set(name, 'mysql_joined')
    edits.set(opening, '(list(')
    edits.set(closing, `), ${separator})`)
    return
  }
  edits.set(name, 'string_agg')
  edits.enclose(first, order - 1, { before: '', after: `, ${separator}` })
}

const AGGREGATE_ONLY = new Set(['DISTINCT', 'ALL'])

/** With four digits more than its values. Over a window it keeps all that it has. */
const average: Rule = (source, { name, opening, closing }, edits) => {
  if (AGGREGATE_ONLY.has(source.word(opening + 1)) || source.word(closing + 1) === 'OVER') return
  edits.set(name, 'mysql_avg')
}

/** Of this moment, what is asked for. */
type Moment = 'local' | 'universal' | 'time' | 'universal time'
const LOCAL = 'current_localtimestamp()'
const UNIVERSAL = `(now() AT TIME ZONE 'UTC')`
/** The word itself would be taken for the column that is named after it. */
const TODAY = `CAST(${LOCAL} AS DATE)`
const MOST_DIGITS = 6

/** Without more digits behind the seconds than were asked for. */
function atDigits(moment: Moment, digits = 0): string {
  const exact = moment.startsWith('universal') ? UNIVERSAL : LOCAL
  const cut = `${exact} - to_microseconds(epoch_us(${exact}) % ${10 ** (MOST_DIGITS - digits)})`
  const value = digits === 0 ? `date_trunc('second', ${exact})` : digits < MOST_DIGITS ? `(${cut})` : exact
  return moment.endsWith('time') ? `CAST(${value} AS TIME)` : value
}

/** NOW(), NOW(3) */
const now =
  (moment: Moment): Rule =>
  (source, { name, closing, args }, edits) => {
    const [digits] = args
    const written = digits ? Number(source.written(digits[0], digits[1])) : 0
    const isKnown = Number.isInteger(written) && written >= 0 && written < MOST_DIGITS
    edits.replace(name, closing, atDigits(moment, isKnown ? written : MOST_DIGITS))
  }

/** Keywords to DuckDB. In quotes they are called; alone they would be taken for the column that is named after them. */
const keyword: Rule = (source, { name, args }, edits) => {
  if (args.length === 0) edits.set(name, quoteIdentifier(source.word(name).toLowerCase()))
}

const byName = (names: string, rule: (macro: string) => Rule): Record<string, Rule> =>
  Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, rule(`mysql_${name.toLowerCase()}`)]),
  )

/** As `@@version` says. */
const VERSION = '8.0.33'

/** By the names of the functions in capitals. What has the same name and the same meaning in DuckDB is not here. */
const RULES: Readonly<Record<string, Rule>> = {
  ...byName(
    `ATAN CONVERT_TZ FORMAT INET_ATON INET_NTOA JSON_CONTAINS JSON_EXTRACT JSON_KEYS JSON_LENGTH JSON_TYPE JSON_UNQUOTE
    JSON_VALUE LN LOG LOG10 LOG2 MAKEDATE MAKETIME MOD ORD PERIOD_ADD PERIOD_DIFF REGEXP_INSTR REGEXP_LIKE
    REGEXP_REPLACE REGEXP_SUBSTR SEC_TO_TIME SQRT TIMEDIFF TIME_TO_SEC TRUNCATE UNHEX UNIX_TIMESTAMP`,
    renamed,
  ),
  ...byName('ASCII BIN CHAR_LENGTH CONV INSTR LEFT LPAD OCT REPLACE RIGHT RPAD SUBSTRING_INDEX', (name) =>
    ofTexts(name),
  ),
  ...byName(
    `DATE DATEDIFF DAY DAYNAME DAYOFMONTH DAYOFWEEK DAYOFYEAR HOUR LAST_DAY MICROSECOND MINUTE MONTH MONTHNAME QUARTER
    SECOND TIMESTAMP TO_DAYS TO_SECONDS WEEKDAY WEEKOFYEAR YEAR YEARWEEK`,
    ofMoments,
  ),
  ...byName('ADDTIME HEX LENGTH SUBTIME TIME TO_BASE64', ofTypes),
  ADDDATE: dateSum('+', true),
  AVG: average,
  CAST: cast,
  CHAR: chars,
  CHARACTER_LENGTH: ofTexts('mysql_char_length'),
  COALESCE: ofOneType(0),
  CONCAT: concat,
  CONCAT_WS: ofTexts('concat_ws', 1, Infinity),
  CONVERT: convert,
  COUNT: count,
  CURRENT_ROLE: keyword,
  CURRENT_USER: keyword,
  CURTIME: now('time'),
  CURRENT_TIMESTAMP: now('local'),
  CURRENT_TIME: now('time'),
  CURRENT_DATE: (_, { name, closing, args }, edits) => {
    if (args.length === 0) edits.replace(name, closing, TODAY)
  },
  DATE_ADD: dateSum('+', false),
  DATE_FORMAT: formatted('mysql_date_format', true),
  DATE_SUB: dateSum('-', false),
  EXTRACT: extract,
  FROM_UNIXTIME: (source, call, edits) => {
    if (call.args.length === 1) edits.set(call.name, 'mysql_from_unixtime')
    else formatted('mysql_from_unixtime', false)(source, call, edits)
  },
  GREATEST: ofList('mysql_greatest'),
  GROUP_CONCAT: groupConcat,
  IF: ofOneType(1),
  IFNULL: ofOneType(0),
  INSERT: (source, call, edits) => {
    if (call.name > source.first && call.args.length === 4) edits.set(call.name, 'mysql_insert')
  },
  LEAST: ofList('mysql_least'),
  LCASE: ofTexts('lower'),
  LOCATE: ofTexts('mysql_locate', 1),
  LOWER: ofTexts('lower'),
  LOCALTIME: now('local'),
  LOCALTIMESTAMP: now('local'),
  LTRIM: ofTexts('ltrim'),
  MID: substring,
  NOW: now('local'),
  OCTET_LENGTH: ofTypes('mysql_length'),
  POSITION: (source, { name, args, opening, closing }, edits) => {
    if (args.length !== 1) return
    for (let at = opening + 1; at < closing; at++)
      if (source.word(at) === 'IN') {
        edits.set(name, 'mysql_locate')
        return edits.set(at, ',')
      }
  },
  RAND: (_, { name, closing }, edits) => edits.replace(name, closing, 'random()'),
  REVERSE: ofTexts('reverse'),
  RTRIM: ofTexts('rtrim'),
  SCHEMA: renamed('current_schema'),
  SESSION_USER: keyword,
  SHA: renamed('sha1'),
  STDDEV: renamed('stddev_pop'),
  STD: renamed('stddev_pop'),
  STR_TO_DATE: parsed,
  SUBDATE: dateSum('-', true),
  SUBSTR: substring,
  SUBSTRING: substring,
  SYSDATE: now('local'),
  TIMESTAMPADD: addUnits,
  TIMESTAMPDIFF: difference,
  TIME_FORMAT: timeFormatted,
  TRIM: trim,
  UCASE: ofTexts('upper'),
  UPPER: ofTexts('upper'),
  USER: keyword,
  UTC_TIME: now('universal time'),
  UTC_TIMESTAMP: now('universal'),
  UUID: (_, { name, closing }, edits) => edits.replace(name, closing, 'CAST(gen_random_uuid() AS VARCHAR)'),
  VARIANCE: renamed('var_pop'),
  WEEK: week,
  VERSION: (_, { name, closing }, edits) => edits.replace(name, closing, quoteString(VERSION)),
}

/** WEEK(value, 3): for a mode that is written as a number there is a shorter form. */
function week(source: Source, call: Call, edits: TokenEdits): void {
  const [, mode] = call.args
  const written = mode && mode[0] === mode[1] ? source.written(mode[0], mode[1]) : null
  if (!mode || written === null || !/^[0-7]$/.test(written))
    return ofMoments('mysql_week')(source, call, edits)
  ofMoments(`mysql_week_${written}`)(source, { ...call, args: call.args.slice(0, 1) }, edits)
  edits.replace(mode[0] - 1, mode[1], '')
}

/** SUBSTRING(value FROM start FOR count) too. */
function substring(source: Source, { name, opening, closing, args }: Call, edits: TokenEdits): void {
  edits.set(name, 'mysql_substr')
  const [value] = args
  if (args.length !== 1) return value && noteText(source, value, edits)
  for (let at = opening + 1; at < closing; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === 'FROM' || word === 'FOR') edits.set(at, ',')
  }
}

/** Words that are called without parentheses. */
const CALLED_WORDS: Readonly<Record<string, string>> = {
  CURRENT_TIMESTAMP: atDigits('local'),
  LOCALTIME: atDigits('local'),
  LOCALTIMESTAMP: atDigits('local'),
  CURRENT_TIME: atDigits('time'),
  CURRENT_DATE: TODAY,
  CURRENT_USER: '"current_user"()',
  UTC_TIMESTAMP: atDigits('universal'),
  UTC_TIME: atDigits('universal time'),
  UTC_DATE: `CAST(${UNIVERSAL} AS DATE)`,
}

const MAKES = new Set(['FUNCTION', 'MACRO', 'TABLE', 'INTO', 'VIEW', 'JOIN', 'FROM', 'UPDATE', 'EXISTS'])

/** Notes what to write instead of the call at a word, when there is a rule for it. */
export function noteCall(source: Source, at: number, edits: TokenEdits): void {
  const word = source.word(at)
  const rule = Object.hasOwn(RULES, word) ? RULES[word] : undefined
  // Of a function that somebody has made, with its place before it, nothing is known; behind other words it is a name.
  if (!rule || MAKES.has(source.word(at - 1)) || source.word(at - 1) === '.') return
  const call = source.word(at + 1) === '(' ? callAt(source, at) : null
  if (call) rule(source, call, edits)
}

export function noteCalledWord(source: Source, at: number, edits: TokenEdits): boolean {
  const word = source.word(at)
  if (!Object.hasOwn(CALLED_WORDS, word) || source.word(at + 1) === '(' || source.word(at - 1) === '.')
    return false
  if (source.word(at - 1) === 'AS' || source.word(at + 1) === '.') return false
  edits.set(at, CALLED_WORDS[word] ?? '')
  return true
}
