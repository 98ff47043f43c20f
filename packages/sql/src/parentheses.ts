import type { SignificantToken } from './significant-tokens.ts'

/** For each token the index of its partner if it is a parenthesis that has one, else -1. */
export function matchParentheses(tokens: readonly SignificantToken[]): Int32Array {
  const partners = new Int32Array(tokens.length).fill(-1)
  const open: number[] = []
  for (const [at, { keyword }] of tokens.entries()) {
    if (keyword === '(') open.push(at)
    if (keyword !== ')') continue
    const partner = open.pop()
    if (partner === undefined) continue
    partners[partner] = at
    partners[at] = partner
  }
  return partners
}
