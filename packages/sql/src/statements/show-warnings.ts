import type { Piece } from '../text/piece.ts'
import { openTokenReader, type TokenReader } from '../text/token-reader.ts'

export interface ShowWarnings {
  readonly what: 'warnings' | 'errors'
  /** Only how many there are. */
  readonly counts: boolean
  readonly offset: number
  /** Null: all of them. */
  readonly limit: number | null
}

/** SHOW WARNINGS|ERRORS [LIMIT [offset,] count], or SHOW COUNT(*) WARNINGS|ERRORS */
export function readShowWarnings(statement: Piece): ShowWarnings | null {
  const reader = openTokenReader(statement)
  if (!reader.take('SHOW')) return null
  const counts = reader.takeAll('COUNT', '(', '*', ')')
  const word = reader.take('WARNINGS', 'ERRORS')
  if (word === null) return null
  const what = word === 'ERRORS' ? 'errors' : 'warnings'
  const window = !counts && reader.take('LIMIT') ? takeWindow(reader) : { offset: 0, limit: null }
  return window && reader.left() === 0 ? { what, counts, ...window } : null
}

function takeWindow(reader: TokenReader): { offset: number; limit: number } | null {
  const first = takeCount(reader)
  if (first === null || !reader.take(',')) return first === null ? null : { offset: 0, limit: first }
  const limit = takeCount(reader)
  return limit === null ? null : { offset: first, limit }
}

function takeCount(reader: TokenReader): number | null {
  const text = reader.value()
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : null
}
