import { KEYWORD_LIST } from '../../../statement/keywords.ts'

const FAR = 3

/** How many letters must be changed, added, dropped or swapped with the next; `FAR` when it is that many or more. */
function distance(one: string, other: string): number {
  if (Math.abs(one.length - other.length) >= FAR) return FAR
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    const above = rows[i - 1] ?? []
    for (let j = 1; j <= other.length; j++) {
      const cost = one[i - 1] === other[j - 1] ? 0 : 1
      let least = Math.min((above[j] ?? FAR) + 1, (row[j - 1] ?? FAR) + 1, (above[j - 1] ?? FAR) + cost)
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      if (isSwapped) least = Math.min(least, (rows[i - 2]?.[j - 2] ?? FAR) + 1)
      row.push(least)
    }
    rows.push(row)
  }
  return Math.min(FAR, rows.at(-1)?.at(-1) ?? FAR)
}

/** The keyword that a word was most likely meant to be; null when it is one, or like none. */
export function meantKeyword(word: string): string | null {
  const written = word.toLowerCase()
  if (written.length < 3 || KEYWORD_LIST.includes(written)) return null
  const most = written.length < 5 ? 1 : 2
  const near = KEYWORD_LIST.map((keyword) => ({ keyword, far: distance(written, keyword) }))
    .filter(({ far }) => far <= most)
    .toSorted((a, b) => a.far - b.far)
  return near[0]?.keyword.toUpperCase() ?? null
}
