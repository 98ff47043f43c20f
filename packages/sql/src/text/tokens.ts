import { tokensOfConditionalSet } from './conditional-comment.ts'
import { Lexer } from './lexer.ts'
import { STANDARD_QUOTES, type Quotes } from './quotes.ts'
import { type Token, TOKEN } from './token.ts'

/**
 * The tokens of a text that mean something: neither blanks nor comments nor hints. A million of them are four arrays,
 * which another thread hands over without copying them.
 */
export interface Tokens {
  readonly kinds: Uint8Array
  /** UTF-16 offsets in the text, `ends` exclusive. */
  readonly starts: Int32Array
  readonly ends: Int32Array
  /** Of a parenthesis that has one, the index of its partner, else -1. */
  readonly partners: Int32Array
  /** How many lists and structures begin: `[` and `{`. */
  readonly nestings: number
  /** The last one is a string or a quoted identifier that the text ends inside of. */
  readonly unterminated: boolean
  /** Where a comment begins that is never closed; -1 when there is none. */
  readonly openComment: number
  /** How the text was read. */
  readonly quotes: Quotes
}

const OPENING = '('.charCodeAt(0)
const CLOSING = ')'.charCodeAt(0)
const LIST = '['.charCodeAt(0)
const STRUCTURE = '{'.charCodeAt(0)
const SEMICOLON = ';'.charCodeAt(0)
const FIRST_ROOM = 64

/** One pass over the text, in time linear in its length. */
export function tokensOf(text: string, quotes: Quotes = STANDARD_QUOTES): Tokens {
  const lexer = new Lexer(text, quotes)
  const rows = new TokenRows(Math.max(FIRST_ROOM, text.length >> 1))
  const open: number[] = []
  let nestings = 0
  let unterminated = false
  let openComment = -1
  /** Nothing of the statement was found yet. */
  let isBeginning = true
  const put = ({ kind, start, end }: Token): void => {
    const at = rows.add(kind, start, end)
    isBeginning = false
    if (kind !== TOKEN.punctuation) return
    const code = text.charCodeAt(start)
    if (code === OPENING) open.push(at)
    else if (code === CLOSING) rows.pair(open.pop(), at)
    else if (code === LIST || code === STRUCTURE) nestings++
    else if (code === SEMICOLON) isBeginning = true
  }
  while (lexer.next()) {
    const { kind, start } = lexer
    if (kind === TOKEN.whitespace) continue
    if (kind === TOKEN.comment) {
      if (lexer.unterminated) openComment = start
      else if (isBeginning) for (const token of tokensOfConditionalSet(lexer, quotes)) put(token)
      continue
    }
    put(lexer)
    unterminated = lexer.unterminated
  }
  return { ...rows.taken(), nestings, unterminated, openComment, quotes }
}

function enlarged<T extends Uint8Array | Int32Array>(larger: T, old: T): T {
  larger.set(old)
  return larger
}

/** Typed arrays that grow together. */
class TokenRows {
  #count = 0
  #kinds: Uint8Array
  #starts: Int32Array
  #ends: Int32Array
  #partners: Int32Array

  constructor(room: number) {
    this.#kinds = new Uint8Array(room)
    this.#starts = new Int32Array(room)
    this.#ends = new Int32Array(room)
    this.#partners = new Int32Array(room)
  }

  add(kind: number, start: number, end: number): number {
    const at = this.#count++
    if (at === this.#kinds.length) this.#grow()
    this.#kinds[at] = kind
    this.#starts[at] = start
    this.#ends[at] = end
    this.#partners[at] = -1
    return at
  }

  pair(opening: number | undefined, closing: number): void {
    if (opening === undefined) return
    this.#partners[opening] = closing
    this.#partners[closing] = opening
  }

  taken() {
    const count = this.#count
    return {
      kinds: this.#kinds.slice(0, count),
      starts: this.#starts.slice(0, count),
      ends: this.#ends.slice(0, count),
      partners: this.#partners.slice(0, count),
    }
  }

  #grow(): void {
    const room = 2 * this.#count
    this.#kinds = enlarged(new Uint8Array(room), this.#kinds)
    this.#starts = enlarged(new Int32Array(room), this.#starts)
    this.#ends = enlarged(new Int32Array(room), this.#ends)
    this.#partners = enlarged(new Int32Array(room), this.#partners)
  }
}
