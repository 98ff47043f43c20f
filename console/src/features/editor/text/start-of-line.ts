/** Where a line begins; the end of the text for one that is not there any more. */
export function startOfLine(text: string, line: number): number {
  let at = 0
  for (let number = 1; number < line; number++) {
    const next = text.indexOf('\n', at)
    if (next === -1) return text.length
    at = next + 1
  }
  return at
}
