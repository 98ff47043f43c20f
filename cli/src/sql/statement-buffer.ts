import { LIMITS } from '@boathouse/contract'
import { Lexer, TOKEN } from '@boathouse/sql'

/** Gathers lines until a statement is whole, as the server separates them: a semicolon that is in no quotes. */
export function createStatementBuffer() {
  let text = ''

  function firstEnd(): number | null {
    const lexer = new Lexer(text)
    while (lexer.next()) if (lexer.kind === TOKEN.punctuation && text[lexer.start] === ';') return lexer.start
    return null
  }

  return {
    isEmpty: (): boolean => !saysSomething(text),
    text: (): string => text,
    clear(): void {
      text = ''
    },
    /** The statements that are whole now. */
    add(more: string): string[] {
      text += more
      const whole: string[] = []
      // Without a semicolon in what is new, nothing can have ended.
      if (more.includes(';'))
        for (let end = firstEnd(); end !== null; end = firstEnd()) {
          const statement = text.slice(0, end).trim()
          text = text.slice(end + 1)
          if (saysSomething(statement)) whole.push(statement)
        }
      if (text.length > LIMITS.sqlLength)
        throw new Error(
          `A statement has at most ${LIMITS.sqlLength} characters. Is a semicolon or a quote missing?`,
        )
      return whole
    },
    /** What is left at the end, which needs no semicolon. */
    rest(): string[] {
      const left = text.trim()
      text = ''
      return saysSomething(left) ? [left] : []
    },
  }
}

function saysSomething(text: string): boolean {
  const lexer = new Lexer(text)
  while (lexer.next()) if (lexer.kind !== TOKEN.comment && lexer.kind !== TOKEN.whitespace) return true
  return false
}
