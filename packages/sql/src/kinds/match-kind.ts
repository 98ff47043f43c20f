import { KIND_PATTERNS } from './kind-patterns.ts'
import { keywordAt, type Piece } from '../text/piece.ts'
import type { StatementKind } from './statement-kinds.ts'
import { firstWords, matchPattern, parsePattern, type WordPattern } from './word-pattern.ts'

interface Candidates {
  /** In their order. */
  readonly patterns: { readonly pattern: WordPattern; readonly kind: StatementKind }[]
  /** How many words the longest of them has. */
  words: number
}

/** By the word that a statement begins with. */
const CANDIDATES = new Map<string, Candidates>()
for (const [words, kind] of KIND_PATTERNS) {
  const pattern = parsePattern(words)
  for (const word of firstWords(pattern)) {
    const known = CANDIDATES.get(word) ?? { patterns: [], words: 0 }
    known.patterns.push({ pattern, kind })
    known.words = Math.max(known.words, pattern.length)
    CANDIDATES.set(word, known)
  }
}

/** The kind of the words at a token, and how many of them say so. */
export function matchKind(piece: Piece, at: number): { kind: StatementKind; length: number } {
  const candidates = CANDIDATES.get(keywordAt(piece, at))
  if (!candidates) return { kind: 'unknown', length: 0 }
  const keywords = Array.from({ length: candidates.words }, (_, ahead) => keywordAt(piece, at + ahead))
  for (const { pattern, kind } of candidates.patterns) {
    const length = matchPattern(pattern, keywords)
    if (length > 0) return { kind, length }
  }
  return { kind: 'unknown', length: 0 }
}
