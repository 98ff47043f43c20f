interface Step {
  words: ReadonlySet<string>
  optional: boolean
}

export type WordPattern = readonly Step[]

/** Reads `a|b [c] d`: either of a and b, then perhaps c, then d. */
export function parsePattern(pattern: string): WordPattern {
  return pattern.split(' ').map((step) => {
    const optional = step.startsWith('[') && step.endsWith(']')
    const words = optional ? step.slice(1, -1) : step
    return { words: new Set(words.toUpperCase().split('|')), optional }
  })
}

/** How many keywords from `at` on fit the pattern; 0 when it does not fit. */
export function matchPattern(
  pattern: WordPattern,
  tokens: readonly { keyword: string }[],
  at: number,
): number {
  let taken = 0
  for (const step of pattern) {
    if (step.words.has(tokens[at + taken]?.keyword ?? '')) taken++
    else if (!step.optional) return 0
  }
  return taken
}
