import { refused } from './refused.ts'
import { type Token, tokensOf } from './tokens.ts'

/** Not the names of anything, unless they are quoted. */
const KEYWORDS = new Set(['AND', 'AS', 'FROM', 'INTO', 'LIMIT', 'ORDER', 'SELECT', 'SET', 'VALUES', 'WHERE'])

/** The tokens of a text, one after the other. */
export class TokenWalk {
  private at = 0
  private readonly tokens: readonly Token[]

  constructor(private readonly sql: string) {
    this.tokens = tokensOf(sql)
  }

  get next(): Token {
    const token = this.tokens[this.at] ?? this.tokens.at(-1)
    if (!token) throw new Error('A text has at least the token at its end.')
    return token
  }

  take(): Token {
    const token = this.next
    this.at++
    return token
  }

  /** Takes these words or signs when all of them follow. */
  skip(...texts: string[]): boolean {
    const follow = texts.every((text, ahead) => {
      const token = this.tokens[this.at + ahead]
      return (token?.kind === 'word' || token?.kind === 'sign') && token.text === text
    })
    if (follow) this.at += texts.length
    return follow
  }

  expect(...texts: string[]): void {
    if (!this.skip(...texts)) throw this.unexpected()
  }

  /** A name, quoted or not, as it was written. */
  name(): string {
    return this.nameOf(this.take())
  }

  nameOf(token: Token): string {
    if (token.kind === 'name') return token.text
    if (token.kind === 'word' && !KEYWORDS.has(token.text)) return token.written
    throw this.unexpected(token)
  }

  text(): string {
    const token = this.take()
    if (token.kind === 'text') return token.text
    throw this.unexpected(token)
  }

  number(): number {
    const token = this.take()
    if (token.kind === 'number') return Number(token.text)
    throw this.unexpected(token)
  }

  writtenSince(offset: number): string {
    const last = this.tokens[this.at - 1]
    return this.sql.slice(offset, (last?.offset ?? 0) + (last?.written.length ?? 0))
  }

  unexpected({ kind, written, offset }: Token = this.next): Error {
    const what = kind === 'end' ? 'the end of the text' : written
    return refused('syntax', `This engine did not expect ${what} here.`, offset)
  }
}
