import type { ValueField, ValueType } from './columns.ts'

/** What an engine means by a name that says no more. */
export interface TypeDefaults {
  /** Digits of the fraction of a second. */
  readonly timePrecision: number
  readonly decimal: { readonly precision: number; readonly scale: number }
}

const whole = (bits: number | null, isSigned = true): ValueType => ({ kind: 'integer', bits, isSigned })
const timestamp = (precision: number, isZoned = false): ValueType => ({
  kind: 'timestamp',
  precision,
  isZoned,
})

/** Names with nothing in brackets, as the engines spell them in large letters, and their other names. */
const PLAIN: Readonly<Record<string, ValueType>> = {
  BOOLEAN: { kind: 'boolean' },
  TINYINT: whole(8),
  SMALLINT: whole(16),
  INTEGER: whole(32),
  INT: whole(32),
  BIGINT: whole(64),
  HUGEINT: whole(128),
  BIGNUM: whole(null),
  UTINYINT: whole(8, false),
  USMALLINT: whole(16, false),
  UINTEGER: whole(32, false),
  UBIGINT: whole(64, false),
  UHUGEINT: whole(128, false),
  FLOAT: { kind: 'float', bits: 32 },
  REAL: { kind: 'float', bits: 32 },
  DOUBLE: { kind: 'float', bits: 64 },
  UUID: { kind: 'uuid' },
  JSON: { kind: 'json' },
  ENUM: { kind: 'enum' },
  GEOMETRY: { kind: 'geometry' },
  SPHERICALGEOGRAPHY: { kind: 'geometry' },
  BLOB: { kind: 'binary' },
  VARBINARY: { kind: 'binary' },
  BIT: { kind: 'bits' },
  DATE: { kind: 'date' },
  TIME_NS: { kind: 'time', precision: 9, isZoned: false },
  TIMESTAMP_S: timestamp(0),
  TIMESTAMP_MS: timestamp(3),
  TIMESTAMP_NS: timestamp(9),
  VARIANT: { kind: 'variant' },
}

const UNKNOWN: ValueType = { kind: 'unknown' }

/** The type that an engine names so; `unknown` for a name that no engine is known for, as that of a user's own type. */
export function parseTypeName(name: string, defaults: TypeDefaults): ValueType {
  try {
    const reader = new TypeReader(name, defaults)
    const type = reader.type()
    return reader.isAtEnd ? type : UNKNOWN
  } catch (error) {
    if (error instanceof UnreadableType) return UNKNOWN
    throw error
  }
}

class UnreadableType extends Error {}

/** A word, a quoted name, a text, a number or a sign. */
const TOKEN = /\s*(?:("(?:[^"]|"")*")|('(?:[^']|'')*')|(\d+)|([A-Za-z_][\w$]*)|([()[\],]))/y

interface Token {
  readonly kind: 'name' | 'text' | 'number' | 'word' | 'sign' | 'end'
  readonly text: string
}

const END: Token = { kind: 'end', text: '' }
const KINDS = ['name', 'text', 'number', 'word', 'sign'] as const

function tokensOf(name: string): Token[] {
  const tokens: Token[] = []
  TOKEN.lastIndex = 0
  const trimmed = name.trimEnd()
  while (TOKEN.lastIndex < trimmed.length) {
    const found = TOKEN.exec(trimmed)
    if (!found) throw new UnreadableType()
    const at = KINDS.findIndex((_, group) => found[group + 1] !== undefined)
    tokens.push({ kind: KINDS[at] ?? 'sign', text: found[at + 1] ?? '' })
  }
  return tokens
}

/** Deeper than this nobody nests, and a reader that calls itself ends somewhere. */
const DEEPEST = 100

class TypeReader {
  private readonly tokens: readonly Token[]
  private at = 0
  private depth = 0

  constructor(
    name: string,
    private readonly defaults: TypeDefaults,
  ) {
    this.tokens = tokensOf(name)
  }

  get isAtEnd(): boolean {
    return this.at === this.tokens.length
  }

  type(): ValueType {
    if (++this.depth > DEEPEST) throw new UnreadableType()
    let type = this.named()
    while (this.takes('[')) {
      const length = this.peek().kind === 'number' ? this.number() : null
      this.expect(']')
      type = { kind: 'list', element: type, length }
    }
    this.depth--
    return type
  }

  private named(): ValueType {
    const word = this.word()
    switch (word) {
      case 'ARRAY':
        return { kind: 'list', element: this.inBrackets(() => this.type()), length: null }
      case 'MAP':
        return this.inBrackets(() => this.map())
      case 'STRUCT':
      case 'ROW':
        return { kind: 'struct', fields: this.inBrackets(() => this.fields()) }
      case 'UNION':
        return { kind: 'union', fields: this.inBrackets(() => this.fields()) }
      case 'DECIMAL':
        return this.decimal()
      case 'TIME':
      case 'TIMESTAMP':
        return this.moment(word)
      case 'TIMETZ':
      case 'TIME_TZ':
        return { kind: 'time', precision: this.defaults.timePrecision, isZoned: true }
      case 'TIMESTAMPTZ':
      case 'TIMESTAMP_TZ':
        return { kind: 'timestamp', precision: this.defaults.timePrecision, isZoned: true }
      case 'VARCHAR':
      case 'CHAR':
        return {
          kind: 'text',
          length: this.peek().text === '(' ? this.inBrackets(() => this.number()) : null,
        }
      case 'INTERVAL':
        return this.interval()
      default:
        this.skipArguments()
        return PLAIN[word] ?? UNKNOWN
    }
  }

  private map(): ValueType {
    const key = this.type()
    this.expect(',')
    return { kind: 'map', key, value: this.type() }
  }

  private fields(): ValueField[] {
    const fields: ValueField[] = []
    do fields.push(this.field())
    while (this.takes(','))
    return fields
  }

  /** A field may have no name: then it is a type alone. */
  private field(): ValueField {
    const first = this.peek()
    const next = this.tokens[this.at + 1]
    const isNamed =
      first.kind === 'name' || (first.kind === 'word' && next?.kind === 'word' && !this.isLong())
    if (!isNamed) return { name: '', type: this.type() }
    this.at++
    const name = first.kind === 'name' ? first.text.slice(1, -1).replaceAll('""', '"') : first.text
    return { name, type: this.type() }
  }

  /** A type of more than one word begins here. */
  private isLong(): boolean {
    const [first, second, third] = [0, 1, 2].map((on) => this.tokens[this.at + on]?.text.toUpperCase())
    if (first === 'INTERVAL') return second === 'DAY' || second === 'YEAR'
    return (first === 'TIME' || first === 'TIMESTAMP') && second === 'WITH' && third === 'TIME'
  }

  private decimal(): ValueType {
    if (this.peek().text !== '(') return { kind: 'decimal', ...this.defaults.decimal }
    return this.inBrackets(() => {
      const precision = this.number()
      return { kind: 'decimal', precision, scale: this.takes(',') ? this.number() : 0 }
    })
  }

  private moment(word: 'TIME' | 'TIMESTAMP'): ValueType {
    const precision =
      this.peek().text === '(' ? this.inBrackets(() => this.number()) : this.defaults.timePrecision
    const isZoned = this.takesWords('WITH', 'TIME', 'ZONE')
    return { kind: word === 'TIME' ? 'time' : 'timestamp', precision, isZoned }
  }

  private interval(): ValueType {
    if (!this.takesWords('DAY', 'TO', 'SECOND')) this.takesWords('YEAR', 'TO', 'MONTH')
    return { kind: 'interval' }
  }

  /** Of the members of an enum, or of what else says more about a type that is known by its name. */
  private skipArguments(): void {
    if (!this.takes('(')) return
    for (let open = 1; open > 0;) {
      const { kind, text } = this.next()
      if (kind === 'end') throw new UnreadableType()
      if (text === '(') open++
      if (text === ')') open--
    }
  }

  private inBrackets<T>(read: () => T): T {
    this.expect('(')
    const found = read()
    this.expect(')')
    return found
  }

  private peek(): Token {
    return this.tokens[this.at] ?? END
  }

  private next(): Token {
    return this.tokens[this.at++] ?? END
  }

  private word(): string {
    const { kind, text } = this.next()
    if (kind !== 'word') throw new UnreadableType()
    return text.toUpperCase()
  }

  private number(): number {
    const { kind, text } = this.next()
    if (kind !== 'number') throw new UnreadableType()
    return Number(text)
  }

  private takes(sign: string): boolean {
    const isNext = this.peek().kind === 'sign' && this.peek().text === sign
    if (isNext) this.at++
    return isNext
  }

  private takesWords(...words: readonly string[]): boolean {
    const areNext = words.every((word, on) => this.tokens[this.at + on]?.text.toUpperCase() === word)
    if (areNext) this.at += words.length
    return areNext
  }

  private expect(sign: string): void {
    if (!this.takes(sign)) throw new UnreadableType()
  }
}
