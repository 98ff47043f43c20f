import {
  isUnterminated,
  keywordAt,
  kindAt,
  literalAt,
  type Piece,
  quoteString,
  stringAt,
  textAt,
  textLiteral,
  TOKEN,
  type TokenEdits,
} from '@boathouse/sql'
import { noteMysqlWord } from './mysql-words.ts'

/**
 * Calls that other servers of this language know and DuckDB does not, because they are written with words or formats of
 * their own. Each rule says what to write instead of which tokens.
 */
const RULES: Readonly<Record<string, (call: Call, edits: TokenEdits) => void>> = {
  DATE_FORMAT: formatDate,
  STR_TO_DATE: parseDate,
  GROUP_CONCAT: separate,
  TIMESTAMPDIFF: unitFirst('date_sub'),
  TIMESTAMPADD: unitFirst('timestampadd'),
  CURRENT_USER: uncalled,
  SESSION_USER: uncalled,
  USER: uncalled,
  CURRENT_ROLE: uncalled,
}

/** Without one of these there is neither such a call nor one of the words of `mysql-words.ts`. */
export const MYSQL_WORDS =
  'date_format|str_to_date|separator|timestampdiff|timestampadd|interval|div|mod|regexp|rlike|unsigned|sql_\\w+|(?:(?:current|session)_)?user|current_role'

interface Call {
  readonly piece: Piece
  readonly name: number
  readonly opening: number
  readonly closing: number
  /** Of the commas between its arguments. */
  readonly commas: readonly number[]
}

function callAt(piece: Piece, name: number): Call | null {
  const opening = name + 1
  if (keywordAt(piece, opening) !== '(') return null
  const closing = piece.tokens.partners[opening] ?? -1
  if (closing < 0 || closing >= piece.until) return null
  const commas: number[] = []
  for (let at = opening + 1; at < closing; at++) {
    const word = keywordAt(piece, at)
    if (word === ',') commas.push(at)
    else if (word === '(') at = Math.max(at, piece.tokens.partners[at] ?? -1)
  }
  return { piece, name, opening, closing, commas }
}

/** Notes what to write instead of the call at a token, when there is a rule for it. */
export function noteMysqlCall(piece: Piece, at: number, edits: TokenEdits): void {
  const word = keywordAt(piece, at)
  if (word === 'INTERVAL') return noteInterval(piece, at, edits)
  if (noteMysqlWord(piece, at, edits)) return
  const rule = Object.hasOwn(RULES, word) ? RULES[word] : undefined
  // Of a function that somebody has made, with its place before it, nothing is known.
  if (!rule || keywordAt(piece, at - 1) === '.') return
  const call = callAt(piece, at)
  if (call) rule(call, edits)
}

const MAKES = new Set(['FUNCTION', 'MACRO'])

/** Keywords to DuckDB, which are not called. Blanks take the place of the parentheses. */
function uncalled({ piece, name, opening, closing }: Call, edits: TokenEdits): void {
  if (closing !== opening + 1 || MAKES.has(keywordAt(piece, name - 1))) return
  edits.set(opening, ' ')
  edits.set(closing, ' ')
}

/** Codes that mean the same in both are not here. */
const FORMATS: Readonly<Record<string, string>> = {
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
const SAME = new Set('abdfHIjmpSwyY%')
const OF_TIME = new Set('fHhIiklprSsT')

/** A format in DuckDB's codes; null when it holds one that DuckDB has not. */
function duckdbFormat(format: string): string | null {
  let isKnown = true
  const written = format.replace(/%(.)/gs, (code, letter: string) => {
    if (SAME.has(letter)) return code
    const other = FORMATS[letter]
    isKnown &&= other !== undefined
    return other ?? ''
  })
  return isKnown ? written : null
}

function literalFormat({ piece, commas, closing }: Call): string | null {
  const [comma] = commas
  if (comma === undefined || commas.length !== 1 || comma + 2 !== closing) return null
  const at = comma + 1
  if (kindAt(piece, at) !== TOKEN.string || isUnterminated(piece, at)) return null
  return stringAt(piece, at)
}

/** DATE_FORMAT(date, 'format') */
function formatDate(call: Call, edits: TokenEdits): void {
  const format = literalFormat(call)
  const written = format === null ? null : duckdbFormat(format)
  const [comma] = call.commas
  if (written === null || comma === undefined) return
  edits.set(call.name, 'strftime')
  edits.set(call.opening, '(CAST(')
  edits.set(comma, ' AS TIMESTAMP),')
  edits.set(comma + 1, textLiteral(written))
}

/** STR_TO_DATE('text', 'format'): a date when the format has no time in it. */
function parseDate(call: Call, edits: TokenEdits): void {
  const format = literalFormat(call)
  const written = format === null ? null : duckdbFormat(format)
  const [comma] = call.commas
  if (format === null || written === null || comma === undefined) return
  const hasTime = [...format.matchAll(/%(.)/gs)].some(([, letter = '']) => OF_TIME.has(letter))
  edits.set(call.name, 'CAST(try_strptime')
  edits.set(comma + 1, textLiteral(written))
  edits.set(call.closing, `) AS ${hasTime ? 'TIMESTAMP' : 'DATE'})`)
}

/** GROUP_CONCAT(value [ORDER BY …] SEPARATOR 'text') */
function separate({ piece, opening, closing }: Call, edits: TokenEdits): void {
  const separator = closing - 2
  if (separator <= opening || keywordAt(piece, separator) !== 'SEPARATOR') return
  if (kindAt(piece, closing - 1) !== TOKEN.string) return
  let order = separator
  for (let at = opening + 1; at < separator; at++) {
    const word = keywordAt(piece, at)
    if (word === '(') at = Math.max(at, piece.tokens.partners[at] ?? -1)
    else if (word === 'ORDER' && keywordAt(piece, at + 1) === 'BY') {
      order = at
      break
    }
  }
  const text = literalAt(piece, closing - 1)
  edits.set(closing - 1, '')
  edits.set(separator, '')
  edits.set(order, `, ${text}${order === separator ? '' : ' ORDER'}`)
}

const UNITS = new Set('MICROSECOND SECOND MINUTE HOUR DAY WEEK MONTH QUARTER YEAR'.split(' '))

/** name(UNIT, a, b), of which DATE_SUB takes times and TIMESTAMPADD any number. */
function unitFirst(name: string): (call: Call, edits: TokenEdits) => void {
  return ({ piece, name: at, opening, closing, commas }, edits) => {
    const unit = keywordAt(piece, opening + 1).replace(/^SQL_TSI_/, '')
    const [first, second] = commas
    if (first === undefined || second === undefined || commas.length !== 2) return
    if (first !== opening + 2 || !UNITS.has(unit)) return
    edits.set(at, name)
    edits.set(opening + 1, quoteString(unit.toLowerCase()))
    if (name !== 'date_sub') return
    edits.set(first, ', CAST(')
    edits.set(second, ' AS TIMESTAMP), CAST(')
    edits.set(closing, ' AS TIMESTAMP))')
  }
}

/** INTERVAL -1 DAY, INTERVAL n DAY and INTERVAL f(x) DAY: DuckDB wants a number, or what is in parentheses. */
function noteInterval(piece: Piece, at: number, edits: TokenEdits): void {
  const before = keywordAt(piece, at - 1)
  if (before === '::' || before === 'AS') return
  const last = endOfAmount(piece, at + 1)
  if (last === null || !UNITS.has(keywordAt(piece, last + 1))) return
  edits.set(at, 'INTERVAL (')
  edits.set(last + 1, `) ${textAt(piece, last + 1)}`)
}

/** The last token of an amount that needs parentheses. */
function endOfAmount(piece: Piece, at: number): number | null {
  const kind = kindAt(piece, at)
  if (keywordAt(piece, at) === '-' && kindAt(piece, at + 1) === TOKEN.number) return at + 1
  if (kind !== TOKEN.word && kind !== TOKEN.quotedIdentifier) return null
  if (keywordAt(piece, at + 1) !== '(') return at
  const closing = piece.tokens.partners[at + 1] ?? -1
  return closing < 0 || closing >= piece.until ? null : closing
}
