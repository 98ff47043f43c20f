import { keywordAt, offsetOf, type Piece, textAt } from '../text/piece.ts'
import { unquoteIdentifier } from '../text/quoting.ts'
import { TOKEN } from '../text/token.ts'

/**
 * How much an engine has to do to make sense of a text. Most of a text is read once. What is in a lambda, in a
 * subquery that is a value, or before an arrow is bound twice: so many levels of them, so many times two. What stands for
 * something else, as a macro or a view, brings all of that with it, and a macro its arguments as often as it names them.
 */

/** What a name stands for. */
export interface Expansion {
  /** Steps that it brings. */
  readonly steps: number
  /** How often it reads its arguments. */
  readonly factor: number
}

export type ExpansionOf = (name: string, qualifier: string | null) => Expansion | null

/** Steps to bind one thing that stands for others, of the steps that a word takes. */
export const STEPS_OF_EXPANSION = 64
/** Beyond one for each word: some tenths of a second. */
export const MOST_STEPS = 2 ** 18
/** Lists and structures within one another: each level is a type of its own. */
const MOST_NESTED = 100

export interface TooComplex {
  readonly what: 'steps' | 'nesting'
  /** Where it becomes too much, in the text of the piece. */
  readonly offset: number
}

export interface BindingCost {
  /** Beyond one for each word; counted no further than what is too much. */
  readonly steps: number
  readonly tooComplex: TooComplex | null
}

const READS_TABLES = new Set('FROM JOIN INTO TABLE UNION INTERSECT EXCEPT'.split(' '))
const READS_VALUES = new Set(
  'SELECT WHERE ON HAVING QUALIFY GROUP ORDER LIMIT SET VALUES RETURNING WHEN THEN ELSE AND OR'.split(' '),
)
const BEGINS_QUERY = new Set(['SELECT', 'FROM', 'WITH', 'VALUES'])
const NAMES_QUERY = new Set(['AS', 'MATERIALIZED'])
const LONGEST_WORD = 'MATERIALIZED'.length

const codeOf = (character: string) => character.charCodeAt(0)
const [ROUND, SQUARE, CURLY] = [codeOf('('), codeOf('['), codeOf('{')]
const [ROUND_END, SQUARE_END, CURLY_END] = [codeOf(')'), codeOf(']'), codeOf('}')]
const [COMMA, DOT, MINUS, COLON] = [codeOf(','), codeOf('.'), codeOf('-'), codeOf(':')]

interface Level {
  /** How often what is here is bound, and how often from the last comma on. */
  base: number
  now: number
  most: number
  ofTables: boolean
  hasLambda: boolean
  /** A list or a structure. */
  readonly isNested: boolean
  /** Of a query that is put in its name's place, wherever that is. */
  readonly named: { readonly name: string; readonly at: number; readonly steps: number } | null
}

const levelOf = (base: number, given: Partial<Level> = {}): Level => ({
  base,
  now: base,
  most: base,
  ofTables: true,
  hasLambda: false,
  isNested: false,
  named: null,
  ...given,
})

const DOUBLES = new Set('LAMBDA BETWEEN SELECT FROM WITH VALUES FILTER ARRAY MATERIALIZED'.split(' '))
const SHORTEST_DOUBLE = 'WITH'.length
/** By the first letter in lower case: most words are ruled out by it, without reading them. */
const BEGINS_DOUBLE = new Uint8Array(128)
for (const word of DOUBLES) BEGINS_DOUBLE[word.toLowerCase().charCodeAt(0)] = 1
const LOWER_CASE = 0x20

/** Whether all that doubles in a text, were it nested, would still be little: so it is for most texts. */
function isPlain(piece: Piece): boolean {
  const { text, start, tokens, first, until } = piece
  const { kinds, starts, ends } = tokens
  if (tokens.nestings > MOST_NESTED) return false
  const maximum = MOST_STEPS + until - first
  let steps = until - first
  for (let at = first; at < until; at++) {
    const kind = kinds[at]
    if (kind !== TOKEN.word && kind !== TOKEN.operator) continue
    const offset = starts[at] ?? 0
    const length = (ends[at] ?? 0) - offset
    const code = text.charCodeAt(offset - start)
    if (kind === TOKEN.operator) {
      if (length > 1 && code === MINUS) steps *= 2
    } else if (
      length >= SHORTEST_DOUBLE &&
      length <= LONGEST_WORD &&
      BEGINS_DOUBLE[code | LOWER_CASE] === 1
    ) {
      const word = keywordAt(piece, at)
      if (word === 'MATERIALIZED') return false
      if (DOUBLES.has(word)) steps *= 2
    }
    if (steps > maximum) return false
  }
  return true
}

export function bindingCost(piece: Piece, expansionOf?: ExpansionOf): BindingCost {
  if (!expansionOf && isPlain(piece)) return { steps: 0, tooComplex: null }
  return new Counting(piece, expansionOf).count()
}

class Counting {
  private steps = 0
  private nested = 0
  /** How often the bracket that was closed last was bound, as long as an arrow may follow it. */
  private carried = 1
  private level = levelOf(1)
  private readonly outer: Level[] = []
  private named: Map<string, number> | null = null

  constructor(
    private readonly piece: Piece,
    private readonly expansionOf: ExpansionOf | undefined,
  ) {}

  count(): BindingCost {
    const { piece } = this
    const { kinds } = piece.tokens
    for (let at = piece.first; at < piece.until; at++) {
      this.steps += this.level.now - 1
      const kind = kinds[at]
      if (kind === TOKEN.punctuation) this.punctuation(at)
      else if (kind === TOKEN.operator) this.operator(at)
      else {
        if (kind === TOKEN.word) this.word(at)
        if (kind === TOKEN.word || kind === TOKEN.quotedIdentifier) this.name(at)
        if (!this.isJoined(at)) this.carried = 1
      }
      if (this.steps > MOST_STEPS) return this.ended({ what: 'steps', offset: offsetOf(piece, at) })
      if (this.nested > MOST_NESTED) return this.ended({ what: 'nesting', offset: offsetOf(piece, at) })
    }
    return this.ended(null)
  }

  private ended(tooComplex: TooComplex | null): BindingCost {
    return { steps: Math.min(this.steps, MOST_STEPS + 1), tooComplex }
  }

  private codeAt(at: number): number {
    const { text, start, tokens, until } = this.piece
    return at < until ? text.charCodeAt((tokens.starts[at] ?? 0) - start) : 0
  }

  /** Behind a dot or a cast it is part of what comes before. */
  private isJoined(at: number): boolean {
    if (at <= this.piece.first) return false
    const before = this.codeAt(at - 1)
    return before === DOT || (before === COLON && this.piece.tokens.kinds[at - 1] === TOKEN.operator)
  }

  private punctuation(at: number): void {
    const code = this.codeAt(at)
    if (code === ROUND) this.open(at)
    else if (code === SQUARE || code === CURLY) this.enter(levelOf(this.level.now, VALUES))
    else if (code === ROUND_END || code === SQUARE_END || code === CURLY_END) this.close(at)
    else if (code === COMMA) this.level.now = this.level.base
    if (code === COMMA || code === COLON) this.carried = 1
  }

  private enter(level: Level): void {
    this.outer.push(this.level)
    this.level = level
    if (level.isNested) this.nested++
  }

  private open(at: number): void {
    const { piece, level } = this
    const before = at > piece.first ? keywordAt(piece, at - 1) : ''
    const isQuery = BEGINS_QUERY.has(keywordAt(piece, at + 1))
    const isValue = isQuery && !level.ofTables && !NAMES_QUERY.has(before)
    const isCall = at > piece.first && isNameToken(piece, at - 1) && !isQuery
    const factor = isCall ? (this.expansionAt(at - 1)?.factor ?? 1) : 1
    const base =
      level.now * factor * (isValue || before === 'FILTER' ? 2 : 1) * (isList(before, isQuery) ? 2 : 1)
    this.enter(levelOf(base, { ofTables: isCall ? false : level.ofTables, named: this.namedAt(at, before) }))
  }

  /** `name AS NOT MATERIALIZED (`, also with columns behind the name. */
  private namedAt(at: number, before: string): Level['named'] {
    const { piece } = this
    if (before !== 'MATERIALIZED' || keywordAt(piece, at - 2) !== 'NOT') return null
    const last = at - 4
    const name = this.codeAt(last) === ROUND_END ? (piece.tokens.partners[last] ?? 0) - 1 : last
    if (name < piece.first) return null
    return { name: unquoteIdentifier(textAt(piece, name)).toLowerCase(), at, steps: this.steps }
  }

  private close(at: number): void {
    const { level } = this
    const outer = this.outer.pop()
    if (!outer) return
    if (level.isNested) this.nested--
    if (level.named) {
      const { name, at: begun, steps } = level.named
      this.named ??= new Map()
      this.named.set(name, STEPS_OF_EXPANSION + (at - begun) + (this.steps - steps))
    }
    this.carried = level.most
    this.level = outer
  }

  private operator(at: number): void {
    const { tokens } = this.piece
    const isTwo = (tokens.ends[at] ?? 0) - (tokens.starts[at] ?? 0) === 2
    const code = this.codeAt(at)
    if (isTwo && code === MINUS) this.double()
    if (code !== COLON) this.carried = 1
  }

  /** What comes before it, a bracket included, is bound twice. */
  private double(): void {
    const { level } = this
    level.now = Math.max(level.now, this.carried) * 2
    level.most = Math.max(level.most, level.now)
  }

  private word(at: number): void {
    const { tokens } = this.piece
    if ((tokens.ends[at] ?? 0) - (tokens.starts[at] ?? 0) > LONGEST_WORD) return
    const word = keywordAt(this.piece, at)
    const { level } = this
    if (READS_VALUES.has(word)) {
      level.now = level.base
      if (word !== 'AND' && word !== 'OR') level.ofTables = false
    } else if (READS_TABLES.has(word)) {
      level.now = level.base
      level.ofTables = true
    } else if (word === 'BETWEEN') {
      this.double()
      if (level.now > 2) this.steps += level.now * STEPS_OF_EXPANSION
    } else if (word === 'LAMBDA' && !level.hasLambda) {
      level.hasLambda = true
      level.base *= 2
      level.now *= 2
      level.most = Math.max(level.most, level.now)
    }
  }

  private name(at: number): void {
    const { level, named } = this
    if (named) {
      const steps = named.get(unquoteIdentifier(textAt(this.piece, at)).toLowerCase())
      if (steps !== undefined) this.steps += level.now * steps
    }
    const expansion = this.expansionAt(at)
    if (expansion) this.steps += level.now * expansion.steps
  }

  private expansionAt(at: number): Expansion | null {
    const { piece, expansionOf } = this
    if (!expansionOf) return null
    const isQualified = at - 2 >= piece.first && this.codeAt(at - 1) === DOT && isNameToken(piece, at - 2)
    const qualifier = isQualified ? unquoteIdentifier(textAt(piece, at - 2)) : null
    return expansionOf(unquoteIdentifier(textAt(piece, at)), qualifier)
  }
}

/** `ARRAY(SELECT …)` is bound as a value that is made of another. */
const isList = (before: string, isQuery: boolean): boolean => isQuery && before === 'ARRAY'

const VALUES = { ofTables: false, isNested: true } as const

function isNameToken({ tokens }: Piece, at: number): boolean {
  const kind = tokens.kinds[at]
  return kind === TOKEN.word || kind === TOKEN.quotedIdentifier
}

/** What is wrong, and what to do about it. */
export function wordsForComplexity({ what }: TooComplex): string {
  return what === 'nesting'
    ? `The maximum nesting of lists and structures is ${MOST_NESTED} levels, and this statement exceeds it. Build them in several steps.`
    : 'This statement is nested too deeply for the engine: each lambda, subquery, arrow (->), macro or view inside another doubles its work. Move parts into WITH or into tables, or use json_extract(…) with one path instead of several arrows.'
}
