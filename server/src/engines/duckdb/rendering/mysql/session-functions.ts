import { quoteString, type TokenEdits } from '@boathouse/sql'
import type { Source } from './source.ts'

/** What they give, by their names in capitals. */
export type SessionFunctions = Readonly<Record<string, string | null>>

const NUMBER = /^(?:0|-?[1-9]\d{0,17})$/

function literalOf(value: string | null): string {
  if (value === null) return 'CAST(NULL AS VARCHAR)'
  if (!NUMBER.test(value)) return quoteString(value)
  return value.startsWith('-') ? `(${value})` : value
}

/** Without parentheses too. */
const BARE = new Set(['CURRENT_USER'])

/** USER(), CONNECTION_ID() and the like: the engine knows nothing of who asks, or of the statement before. */
export function noteSessionFunctions(source: Source, functions: SessionFunctions, edits: TokenEdits): void {
  for (let at = source.first; at < source.until; at++) {
    const word = source.word(at)
    if (!Object.hasOwn(functions, word) || source.word(at - 1) === '.' || source.word(at - 1) === 'AS')
      continue
    const isCalled = source.word(at + 1) === '(' && source.partner(at + 1) === at + 2
    if (!isCalled && (!BARE.has(word) || source.word(at + 1) === '(' || source.word(at + 1) === '.')) continue
    edits.replace(at, isCalled ? at + 2 : at, literalOf(functions[word] ?? null))
  }
}
