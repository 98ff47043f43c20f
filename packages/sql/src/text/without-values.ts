import { Lexer } from './lexer.ts'
import { STANDARD_QUOTES, type Quotes } from './quotes.ts'
import { TextEdits } from './text-edits.ts'
import { TOKEN } from './token.ts'

/** Both ways in which a session may read quotes: the text alone does not say which one it was. */
const READINGS: readonly Quotes[] = [
  STANDARD_QUOTES,
  { escapes: true, doubleIsText: true, comments: 'mysql' },
]

const VALUES: ReadonlySet<number> = new Set([TOKEN.string, TOKEN.number, TOKEN.comment])
const HIDDEN = '…'

interface Range {
  readonly start: number
  readonly end: number
}

function valuesIn(text: string, quotes: Quotes): Range[] {
  const lexer = new Lexer(text, quotes)
  const found: Range[] = []
  while (lexer.next()) if (VALUES.has(lexer.kind)) found.push({ start: lexer.start, end: lexer.end })
  return found
}

/**
 * A statement without its data: texts, numbers and comments become `…`. What is a value in one reading of the quotes is
 * hidden, whatever it is in the other, so that no value shows because a text was read in the wrong way.
 */
export function withoutValues(text: string): string {
  const ranges = READINGS.flatMap((quotes) => valuesIn(text, quotes)).sort((a, b) => a.start - b.start)
  const edits = new TextEdits(text)
  let hiddenTo = 0
  for (const { start, end } of ranges) {
    if (end <= hiddenTo) continue
    if (start >= hiddenTo) edits.replace(start, end, HIDDEN)
    else edits.replace(hiddenTo, end, '')
    hiddenTo = end
  }
  return edits.finish()?.text ?? text
}
