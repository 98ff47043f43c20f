import { textLiteral, type TokenEdits, TOKEN } from '@boathouse/sql'
import { closesCondition, isCondition, nextTo, opensCondition } from './conditions.ts'
import { intervalAt, noteInterval, notePrefixed, noteSum } from './intervals.ts'
import type { Source } from './source.ts'
import { asText } from './texts.ts'
import { quotientOf } from './quotients.ts'

/** Where a condition ends that XOR stands between two of. */
const AROUND_XOR = new Set(
  'OR || XOR , SELECT WHERE ON HAVING WHEN THEN ELSE END AS FROM GROUP ORDER LIMIT UNION RETURNING SET'.split(
    ' ',
  ),
)

const CONDITIONS = new Set(
  '= < > <= >= <> != <=> IS IN LIKE REGEXP RLIKE BETWEEN AND OR NOT XOR && !'.split(' '),
)
const BINDS_MORE = new Set(['*', '/', '%', '^', 'DIV', 'MOD'])
const NUMBER = /^\s*[-+]?\d{1,30}(?:\.\d{1,18})?\s*$/

/** Operators that the other server knows and DuckDB does not, or means something else by. Read from left to right. */
export class Operators {
  /** Where products and sums begin, by their last tokens. */
  readonly #products = new Map<number, number>()
  readonly #sums = new Map<number, number>()

  #selects: number | null = null

  constructor(
    private readonly source: Source,
    private readonly edits: TokenEdits,
    private readonly pipesJoin: boolean,
  ) {}

  /** The first token of the sum, the product or the value that ends at a token. */
  startOfSum(last: number): number {
    return this.#sums.get(last) ?? this.startOfProduct(last)
  }

  private startOfProduct(last: number): number {
    return this.#products.get(last) ?? this.source.startOfValue(last)
  }

  note(at: number): void {
    switch (this.source.word(at)) {
      case '/':
        return this.product(at, 'mysql_divide')
      case 'DIV':
        return this.product(at, 'mysql_div')
      case 'MOD':
      case '%':
        return this.product(at, 'mysql_mod')
      case '^':
        return this.product(at, 'mysql_xor_bits')
      case '*':
        return this.product(at, null)
      case '+':
      case '-':
        return this.sum(at)
      case '!':
        return this.negation(at)
      case '~':
        return this.inversion(at)
      case '<<':
        return this.shift(at)
      case '&&':
        return this.edits.set(at, ' AND ')
      case '||':
        return this.pipesJoin ? this.sum(at) : this.either(at)
      case '<=>':
        return this.edits.set(at, ' IS NOT DISTINCT FROM ')
      case '->':
      case '->>':
        return this.arrow(at)
      case 'XOR':
        return this.exclusive(at)
      case 'REGEXP':
      case 'RLIKE':
        return this.pattern(at)
      case 'LIKE':
        return this.like(at)
      default:
    }
  }

  /** a || b, of values: whatever they are, each is true or not. */
  private either(at: number): void {
    const { source, edits } = this
    edits.set(at, ' OR ')
    const start = source.endsValue(at - 1) ? source.startOfValue(at - 1) : -1
    const end = source.endOfValue(at + 1)
    if (start >= 0 && opensCondition(source, start) && source.word(start - 1) !== '||')
      this.truth(start, at - 1)
    if (end >= 0 && closesCondition(source, end) && source.word(at + 1) !== '!') this.truth(at + 1, end)
  }

  private truth(first: number, last: number): void {
    // `condition` looks at texts.
    if (first === last && this.source.kind(first) === TOKEN.string) return
    this.edits.wrap(first, last, { before: 'mysql_true(', after: ')' })
  }

  /** A text that is a whole condition is true when the number that it begins with is not 0. */
  private condition(at: number): void {
    const { source, edits } = this
    if (!isCondition(source, at) || (this.pipesJoin && nextTo(source, at, '||'))) return
    edits.wrap(at, at, { before: 'mysql_true(', after: ')' })
    const text = source.literal(at)
    if (text !== null && !NUMBER.test(text))
      edits.warn(`Truncated incorrect DOUBLE value: '${text.slice(0, 100)}'`)
  }

  /** A product of two values, as a call where the operator means something else here. */
  private product(at: number, macro: string | null): void {
    const { source, edits } = this
    if (!source.endsValue(at - 1) || edits.has(at)) return
    const start = this.startOfProduct(at - 1)
    const right = source.endOfValue(at + 1)
    if (start < 0 || right < 0) return
    // a / b * 100 has the digits of its quotient, and is rounded once.
    const factor =
      macro === 'mysql_divide' && source.word(right + 1) === '*' ? source.endOfValue(right + 2) : -1
    if (factor >= 0) edits.set(right + 1, ',')
    const end = Math.max(right, factor)
    this.#products.set(end, start)
    this.number(source.startOfValue(at - 1), at - 1)
    this.number(at + 1, right)
    const sum = this.#sums.get(at - 1)
    if (sum !== undefined) this.#sums.set(end, sum)
    if (macro === null) return
    const name = macro === 'mysql_divide' ? quotientOf(source, [start, at - 1], [at + 1, right]) : macro
    edits.wrap(start, end, { before: `${name}(`, after: ')' })
    edits.set(at, ',')
  }

  private sum(at: number): void {
    const { source, edits } = this
    if (!source.endsValue(at - 1)) return this.number(at + 1, source.endOfValue(at + 1))
    const start = this.startOfSum(at - 1)
    if (start < 0) return
    const isInterval = source.word(at + 1) === 'INTERVAL'
    const end = isInterval ? noteSum(source, at, { edits, start }) : source.endOfValue(at + 1)
    if (end >= 0) this.#sums.set(end, start)
    if (isInterval || source.word(at) === '||') return
    if (end >= 0 && this.isNothing(at) && !this.isPlain(start, at - 1) && !this.isNested())
      return edits.wrap(start, at - 1, { before: 'mysql_number(', after: ')' })
    this.number(source.startOfValue(at - 1), at - 1)
    this.number(at + 1, end)
  }

  /** value + 0, which makes a number of everything: a date, bytes, a text. */
  private isNothing(at: number): boolean {
    const { source } = this
    const isHex = source.touches(at + 1) && source.kind(at + 2) === TOKEN.word
    const isZero = source.word(at) === '+' && source.written(at + 1, at + 1) === '0' && !isHex
    return isZero && !BINDS_MORE.has(source.word(at + 2))
  }

  /** What a query inside of another names of the other has no type yet where it is read. */
  private isNested(): boolean {
    this.#selects ??= this.source.count('SELECT')
    return this.#selects > 1
  }

  /** A number already, or nothing that has a type. */
  private isPlain(first: number, last: number): boolean {
    const { source } = this
    if (first !== last) return false
    const kind = source.kind(first)
    return kind === TOKEN.number || kind === TOKEN.parameter || NUMBER.test(source.literal(first) ?? '')
  }

  /** A text that is a number counts as one, and so does what is true: '10' + 5, (a = 1) + (b = 2). */
  private number(first: number, last: number): void {
    const { source, edits } = this
    if (source.word(first) === '(' && source.partner(first) === last) {
      if (this.isCondition(first, last)) edits.wrap(first, last, { before: 'CAST(', after: ' AS INTEGER)' })
      return
    }
    if (first !== last) return
    const text = source.literal(first)
    if (text !== null && NUMBER.test(text)) edits.set(first, ` ${text.trim()} `)
    else if (source.word(first) === 'TRUE') edits.set(first, '1')
    else if (source.word(first) === 'FALSE') edits.set(first, '0')
  }

  private isCondition(opening: number, closing: number): boolean {
    const { source } = this
    for (let at = opening + 1; at < closing; at++) {
      const word = source.word(at)
      if (word === 'SELECT' || word === 'CASE') return false
      if (word === '(') at = Math.max(at, source.partner(at))
      else if (CONDITIONS.has(word)) return true
    }
    return false
  }

  /** INTERVAL amount UNIT, wherever it stands. */
  interval(at: number): void {
    const { source, edits } = this
    const interval = intervalAt(source, at)
    if (!interval) return
    noteInterval(source, interval, edits)
    const plus = interval.last + 1
    const end = source.word(plus) === '+' && !source.endsValue(at - 1) ? source.endOfValue(plus + 1) : -1
    if (end >= 0) notePrefixed(source, interval, { edits, end })
  }

  /** Bits have no sign there. */
  private inversion(at: number): void {
    const end = this.source.endOfValue(at + 1)
    if (end < 0 || this.source.endsValue(at - 1)) return
    this.edits.set(at, ' ')
    this.edits.wrap(at, end, { before: 'mysql_inverted(', after: ')' })
  }

  private shift(at: number): void {
    const start = this.source.endsValue(at - 1) ? this.startOfSum(at - 1) : -1
    if (start >= 0) this.edits.wrap(start, at - 1, { before: 'mysql_bits(', after: ')' })
  }

  private negation(at: number): void {
    const end = this.source.endOfValue(at + 1)
    if (end < 0 || this.source.endsValue(at - 1)) return
    this.edits.set(at, 'NOT ')
    this.edits.wrap(at, end, { before: '(', after: ')' })
  }

  /** column->'$.path', which binds less than a comparison in DuckDB. */
  private arrow(at: number): void {
    const { source, edits } = this
    const start = source.startOfValue(at - 1)
    if (start < 0 || source.literal(at + 1) === null) return
    edits.wrap(start, at + 1, {
      before: source.word(at) === '->' ? 'mysql_json_extract(' : 'mysql_json_value(',
      after: ')',
    })
    edits.set(at, ',')
  }

  private exclusive(at: number): void {
    const start = this.edgeOfCondition(at, -1)
    const end = this.edgeOfCondition(at, 1)
    if (start >= at || end <= at) return
    this.edits.wrap(start, end, { before: 'mysql_xor(', after: ')' })
    this.edits.set(at, ',')
  }

  private edgeOfCondition(from: number, step: 1 | -1): number {
    const { source } = this
    const [opens, closes] = step === 1 ? ['(', ')'] : [')', '(']
    let at = from
    for (;;) {
      const next = at + step
      const word = source.word(next)
      if (next < source.first || next >= source.until || word === closes || AROUND_XOR.has(word)) return at
      const partner = word === opens ? source.partner(next) : next
      if (partner < 0) return at
      at = partner
    }
  }

  /** value [NOT] REGEXP pattern: found anywhere in the value. */
  private pattern(at: number): void {
    const { source, edits } = this
    const isNot = source.word(at - 1) === 'NOT'
    const start = this.startOfSum(isNot ? at - 2 : at - 1)
    const end = source.endOfValue(at + 1)
    if (start < 0 || end < 0 || !source.endsValue(isNot ? at - 2 : at - 1)) return
    edits.wrap(start, end, {
      before: isNot ? '(NOT mysql_regexp(' : 'mysql_regexp(',
      after: isNot ? '))' : ')',
    })
    edits.set(at, ',')
    if (isNot) edits.set(at - 1, '')
  }

  /** Numbers and times are texts to it. */
  private like(at: number): void {
    const { source, edits } = this
    const before = source.word(at - 1) === 'NOT' ? at - 2 : at - 1
    // Nothing is written for COLLATE and its name, so a value ends before them.
    const last = source.word(before - 1) === 'COLLATE' ? before - 2 : before
    const start = source.endsValue(last) ? this.startOfSum(last) : -1
    if (start >= 0) edits.wrap(start, last, asText(source, [start, last]))
  }

  /** 'a' 'b' is one text, wherever its parts stand; 0x41 and x'41' are bytes. */
  text(at: number): void {
    const { source, edits } = this
    const before = source.word(at - 1)
    if (source.isTyped(at)) {
      if (before === 'X' && /^(?:[\da-f]{2})*$/i.test(source.literal(at) ?? '?'))
        edits.set(at - 1, 'from_hex ')
      else if (before === 'N' || before.startsWith('_')) edits.set(at - 1, '')
      if (before === 'X' && edits.has(at - 1)) edits.wrap(at, at, { before: '(', after: ')' })
    }
    if (source.kind(at - 1) !== TOKEN.string && source.kind(at + 1) !== TOKEN.string && !source.isTyped(at))
      this.condition(at)
    if (source.kind(at - 1) === TOKEN.string || source.kind(at + 1) !== TOKEN.string) return
    let text = ''
    let last = at
    for (; source.kind(last) === TOKEN.string; last++) {
      const part = source.literal(last)
      if (part === null) return
      text += part
    }
    edits.replace(at, last - 1, textLiteral(text))
  }

  bytes(at: number): void {
    const { source, edits } = this
    if (source.written(at, at) !== '0' || !source.touches(at)) return
    const digits = /^x((?:[\da-f]{2})+)$/i.exec(source.written(at + 1, at + 1))?.[1]
    if (digits) edits.replace(at, at + 1, `from_hex('${digits}')`)
  }
}
