import { textLiteral, type TokenEdits } from '@boathouse/sql'
import { noteMoment } from './intervals.ts'
import type { Call, Source } from './source.ts'

/** Codes that mean the same in both are not here. */
const CODES: Readonly<Record<string, string>> = {
  c: '%-m',
  e: '%-d',
  h: '%I',
  i: '%M',
  k: '%-H',
  l: '%-I',
  M: '%B',
  r: '%I:%M:%S %p',
  s: '%S',
  T: '%H:%M:%S',
  v: '%V',
  W: '%A',
  x: '%G',
}
const SAME = new Set('abdfHIjmpSwyYU%')
/** Those that no code of DuckDB stands for. A mark takes their place, and `mysql_with_codes` puts the value there. */
const MARKED = new Set('DuVX')
const OF_DATE = new Set('abcDdejMmUuVvWwXxYy')
const OF_TIME = new Set('fHhIiklprSsT')
const MARK = '\u{e000}'

interface Format {
  readonly text: string
  /** Letters that are marked, each once. */
  readonly marks: readonly string[]
  readonly hasDate: boolean
  readonly hasTime: boolean
}

/** A format in DuckDB's codes. Any other character behind a % stands for itself. */
function duckdbFormat(format: string): Format {
  const letters = new Set<string>()
  const text = format.replace(/%(.)/gs, (code, letter: string) => {
    letters.add(letter)
    if (SAME.has(letter)) return code
    if (MARKED.has(letter)) return MARK + letter
    return CODES[letter] ?? letter
  })
  const has = (some: ReadonlySet<string>) => [...letters].some((letter) => some.has(letter))
  // A lone % at the end is a character there, and a mistake here.
  const ended = text.replace(/(?<!%)((?:%%)*)%$/, '$1%%')
  const marks = [...letters].filter((letter) => MARKED.has(letter))
  return { text: ended, marks, hasDate: has(OF_DATE), hasTime: has(OF_TIME) }
}

function literalFormat(source: Source, { args }: Call): Format | null {
  const [, format] = args
  const text = format && format[0] === format[1] ? source.literal(format[0]) : null
  return text === null ? null : duckdbFormat(text)
}

/** There is a shorter form for moments with one mark; it is named by the code of the letter, since names have no case. */
function suffixOf({ marks: [first, ...others] }: Format, isMoment: boolean): string {
  if (first === undefined) return ''
  return isMoment && others.length === 0 ? `_marked_${first.codePointAt(0)}` : '_marked'
}

/** DATE_FORMAT(value, 'format'), FROM_UNIXTIME(seconds, 'format') */
export const formatted =
  (macro: string, isMoment: boolean) =>
  (source: Source, call: Call, edits: TokenEdits): void => {
    const format = literalFormat(source, call)
    const [value, text] = call.args
    if (!format || !value || !text || call.args.length !== 2) return
    edits.set(call.name, `${macro}${suffixOf(format, isMoment)}`)
    edits.set(text[0], textLiteral(format.text))
    if (isMoment) noteMoment(source, value, edits)
  }

/** TIME_FORMAT(value, 'format'): once more with marks for hours, of which a time may have more than a day. */
export function timeFormatted(source: Source, call: Call, edits: TokenEdits): void {
  const format = literalFormat(source, call)
  const [, text] = call.args
  if (!format || !text || call.args.length !== 2) return
  const marked = format.text.replaceAll('%-H', `${MARK}k`).replaceAll('%H', `${MARK}H`)
  edits.set(call.name, 'mysql_time_format')
  edits.set(text[0], `${textLiteral(format.text)}, ${textLiteral(marked)}`)
}

/** Week and weekday, as some tools find the first day of a week. */
const OF_WEEK: Readonly<Record<string, string>> = {
  '%X%V %W': 'mysql_day_of_week_2',
  '%x%v %W': 'mysql_day_of_week_3',
}

/** STR_TO_DATE(text, 'format'): a date when the format has no time in it, a time when it has no date. */
export function parsed(source: Source, call: Call, edits: TokenEdits): void {
  const [value, text] = call.args
  if (!value || !text || call.args.length !== 2 || text[0] !== text[1]) return
  const written = source.literal(text[0])
  if (written === null) return
  const ofWeek = OF_WEEK[written]
  if (ofWeek) {
    edits.set(call.name, ofWeek)
    edits.replace(text[0] - 1, text[1], '')
    return
  }
  const { text: format, hasDate, hasTime, marks } = duckdbFormat(written)
  if (marks.length > 0) return
  const type = hasDate ? (hasTime ? 'TIMESTAMP' : 'DATE') : 'TIME'
  edits.set(call.name, `CAST(try_strptime`)
  edits.enclose(value[0], value[1], { before: 'CAST(', after: ' AS VARCHAR)' })
  // Blanks behind a comma may be missing in the format.
  const spaced = format.replaceAll(/,(?! )/g, ', ')
  const formats = [...new Set([format, spaced])].map(textLiteral)
  edits.set(text[0], `[${formats.join(', ')}]`)
  edits.set(call.closing, `) AS ${type})`)
}
