/** Longer words are not compared: what they are meant for is no guess of ours. */
const LONGEST = 64

/** As many letters may be wrong, missing, too many or swapped with their neighbour. */
const mostWrong = (word: string): number => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2)

/** The one of these that a word was probably meant for; null when none is near. Letter case makes no difference. */
export function nearest(word: string, candidates: Iterable<string>): string | null {
  if (word.length > LONGEST) return null
  const wanted = word.toLowerCase()
  let found: string | null = null
  let least = mostWrong(word) + 1
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - word.length) >= least) continue
    const wrong = distance(wanted, candidate.toLowerCase())
    if (wrong >= least) continue
    least = wrong
    found = candidate
  }
  return found
}

/** Of Damerau and Levenshtein, with neighbours that are swapped once. */
function distance(one: string, other: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (let row = 1; row <= one.length; row++) {
    const next = [row]
    for (let at = 1; at <= other.length; at++) {
      const isSame = one[row - 1] === other[at - 1]
      const isSwapped = row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1]
      const changed = (last[at - 1] ?? 0) + (isSame ? 0 : 1)
      const least = Math.min(changed, (last[at] ?? 0) + 1, (next[at - 1] ?? 0) + 1)
      next.push(isSwapped ? Math.min(least, (beforeLast[at - 2] ?? 0) + 1) : least)
    }
    beforeLast = last
    last = next
  }
  return last[other.length] ?? 0
}
