import { Lexer } from './lexer.ts'
import { TOKEN } from './token.ts'

const NAMES = new Map<number, string>(Object.entries(TOKEN).map(([name, kind]) => [kind, name]))

/** For tests: every token of a text, by the name of its kind. */
export function listedTokens(text: string) {
  const lexer = new Lexer(text)
  const listed: { kind: string; start: number; end: number; unterminated: boolean }[] = []
  while (lexer.next()) {
    const { kind, start, end, unterminated } = lexer
    listed.push({ kind: NAMES.get(kind) ?? '', start, end, unterminated })
  }
  return listed
}
