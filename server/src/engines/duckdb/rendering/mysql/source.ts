import { isUnterminated, keywordAt, kindAt, type Piece, stringAt, TOKEN } from '@boathouse/sql'

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Words that neither end nor begin a value: behind or before one of these stands something else. */
const STRUCTURE = words(`
  ALL AND ANY AS ASC BETWEEN BY CASE COLLATE CROSS DELETE DESC DISTINCT DISTINCTROW DIV DO DUPLICATE ELSE ESCAPE EXCEPT
  EXISTS FOR FORCE FROM FULL GROUP HAVING IGNORE IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN KEY LIKE LIMIT MOD NATURAL
  NOT OFFSET ON OR ORDER OUTER OVER PARTITION REGEXP RLIKE ROWS SELECT SET SOUNDS STRAIGHT_JOIN THEN UNION UPDATE USE
  USING VALUES WHEN WHERE WINDOW WITH XOR`)

const VALUES = new Set<number>([TOKEN.number, TOKEN.parameter, TOKEN.quotedIdentifier, TOKEN.string])
const BRANCHES = new Set(['WHEN', 'THEN', 'ELSE', 'END'])
/** Before a text they say what it is: DATE '2024-01-31', _utf8mb4'a', x'41'. */
const BEFORE_TEXT = /^(?:DATE|TIME|TIMESTAMP|N|X|B|_[A-Z0-9]+)$/
const SIGNS = new Set(['+', '-', '~', '!'])

/** The tokens of a statement, and where the values in it begin and end. Every question takes the same short time. */
export class Source {
  readonly first: number
  readonly until: number
  /** CASE and END of the same expression, each by the other. */
  readonly #cases = new Map<number, number>()
  /** Of a CASE, the words behind which its values stand, and its END. */
  readonly #branches = new Map<number, number[]>()

  constructor(readonly piece: Piece) {
    this.first = piece.first
    this.until = piece.until
    const open: number[] = []
    for (let at = this.first; at < this.until; at++) {
      if (kindAt(piece, at) !== TOKEN.word) continue
      const length = (piece.tokens.ends[at] ?? 0) - (piece.tokens.starts[at] ?? 0)
      if (length !== 3 && length !== 4) continue
      const word = keywordAt(piece, at)
      if (word === 'CASE') {
        open.push(at)
        this.#branches.set(at, [])
      } else if (BRANCHES.has(word)) this.#branches.get(open.at(-1) ?? -1)?.push(at)
      if (word !== 'END') continue
      const begins = open.pop()
      if (begins === undefined) continue
      this.#cases.set(begins, at)
      this.#cases.set(at, begins)
    }
  }

  /** First and last token of each value that a CASE may have. */
  valuesOfCase(at: number): readonly (readonly [first: number, last: number])[] {
    const words = this.#branches.get(at) ?? []
    return words.flatMap((word, place) => {
      const next = words[place + 1]
      const isValue = this.word(word) === 'THEN' || this.word(word) === 'ELSE'
      return isValue && next !== undefined && next > word + 1 ? [[word + 1, next - 1] as const] : []
    })
  }

  /** In capitals; empty for what can never be a keyword. */
  word(at: number): string {
    return at < this.first ? '' : keywordAt(this.piece, at)
  }

  /** How often a word stands in the statement. */
  count(word: string): number {
    let count = 0
    for (let at = this.first; at < this.until; at++) if (this.word(at) === word) count++
    return count
  }

  kind(at: number): number {
    return at < this.first ? 0 : kindAt(this.piece, at)
  }

  /** What is written there, to the letter. */
  written(first: number, last: number): string {
    const { text, start, tokens } = this.piece
    return text.slice((tokens.starts[first] ?? 0) - start, (tokens.ends[last] ?? 0) - start)
  }

  /** What a closed text stands for; null for anything else. */
  literal(at: number): string | null {
    return this.kind(at) === TOKEN.string && !isUnterminated(this.piece, at) ? stringAt(this.piece, at) : null
  }

  /** The other parenthesis; -1 when there is none in this statement. */
  partner(at: number): number {
    const partner = this.piece.tokens.partners[at] ?? -1
    return partner >= this.first && partner < this.until ? partner : -1
  }

  /** Nothing is written between this token and the next. */
  touches(at: number): boolean {
    return at + 1 < this.until && this.piece.tokens.ends[at] === this.piece.tokens.starts[at + 1]
  }

  isName(at: number): boolean {
    const kind = this.kind(at)
    return kind === TOKEN.quotedIdentifier || (kind === TOKEN.word && !STRUCTURE.has(this.word(at)))
  }

  endsValue(at: number): boolean {
    if (at < this.first || at >= this.until) return false
    return this.word(at) === ')' || this.word(at) === ']' || this.isValue(at)
  }

  isValue(at: number): boolean {
    const kind = this.kind(at)
    return VALUES.has(kind) || (kind === TOKEN.word && !STRUCTURE.has(this.word(at)))
  }

  /** A text with a word before it that says what it is. */
  isTyped(at: number): boolean {
    return this.kind(at) === TOKEN.string && BEFORE_TEXT.test(this.word(at - 1)) && this.word(at - 2) !== '.'
  }

  /** The first token of the value that ends at a token; -1 when none does. */
  startOfValue(last: number): number {
    let at = last
    for (;;) {
      const word = this.word(at)
      if (word === ')') {
        at = this.partner(at)
        if (at < 0) return -1
        // f(x) OVER (…)
        if (this.word(at - 1) === 'OVER') {
          at -= 2
          continue
        }
        if (!this.isName(at - 1)) return at
        at--
      } else if (word === 'END' && this.#cases.has(at)) return this.#cases.get(at) ?? -1
      else if (!this.isValue(at)) return -1
      if (this.isTyped(at)) at--
      if (this.word(at - 1) !== '.') return this.#withArrow(this.isVariable(at - 1) ? at - 1 : at)
      at -= 2
    }
  }

  /** `@x` and `@@x` are one value. */
  isVariable(at: number): boolean {
    return this.word(at) === '@' || this.word(at) === '@@'
  }

  /** `a->'$.b'` is one value. */
  #withArrow(at: number): number {
    const before = this.word(at - 1)
    return before === '->' || before === '->>' ? this.startOfValue(at - 2) : at
  }

  /** The last token of the value that begins at a token, with the signs before it; -1 when none does. */
  endOfValue(first: number): number {
    let at = first
    while (SIGNS.has(this.word(at)) || this.word(at) === 'BINARY') at++
    if (this.isVariable(at)) at++
    const word = this.word(at)
    if (word === '(') return this.#withRest(this.partner(at))
    if (word === 'CASE') return this.#withRest(this.#cases.get(at) ?? -1)
    if (!this.isValue(at)) return -1
    if (this.isTyped(at + 1)) at++
    while (this.word(at + 1) === '.' && this.isName(at + 2)) at += 2
    if (this.word(at + 1) === '(' && this.kind(at) !== TOKEN.number) at = this.partner(at + 1)
    return this.#withRest(at)
  }

  /** With what belongs to a value behind it. */
  #withRest(last: number): number {
    if (last < 0) return -1
    const next = this.word(last + 1)
    if (next === 'OVER') return this.word(last + 2) === '(' ? this.partner(last + 2) : last + 2
    if (next === '->' || next === '->>') return this.#withRest(last + 2)
    if (next === 'COLLATE') return this.#withRest(last + 2)
    return last
  }
}

/** A call and its arguments: name(first, second). */
export interface Call {
  readonly name: number
  readonly opening: number
  readonly closing: number
  /** First and last token of each. */
  readonly args: readonly (readonly [first: number, last: number])[]
}

/** The call whose name is at a token; null where there is none. */
export function callAt(source: Source, name: number): Call | null {
  const opening = name + 1
  if (source.word(opening) !== '(' || source.word(name - 1) === '.') return null
  const closing = source.partner(opening)
  if (closing < 0) return null
  const args: [number, number][] = []
  let first = opening + 1
  for (let at = first; at < closing; at++) {
    const word = source.word(at)
    if (word === '(') at = Math.max(at, source.partner(at))
    else if (word === ',') {
      args.push([first, at - 1])
      first = at + 1
    }
  }
  if (closing > opening + 1) args.push([first, closing - 1])
  return { name, opening, closing, args }
}
