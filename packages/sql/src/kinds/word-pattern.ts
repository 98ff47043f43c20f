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

/** The words that can be the first of what fits. */
export function firstWords(pattern: WordPattern): string[] {
  const needed = pattern.findIndex(({ optional }) => !optional)
  return pattern.slice(0, needed + 1).flatMap(({ words }) => [...words])
}

/** How many of the keywords fit the pattern, from the first on; 0 when it does not fit. */
export function matchPattern(pattern: WordPattern, keywords: readonly string[]): number {
  let taken = 0
  for (const step of pattern) {
    if (step.words.has(keywords[taken] ?? '')) taken++
    else if (!step.optional) return 0
  }
  return taken
}
