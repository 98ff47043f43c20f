import type { SelectOption } from './select.tsx'

/** More than anybody reads; a search finds the others. */
export const MOST_SHOWN = 200

/** Lower is better; null: it does not match. */
function rankOf({ label, hint = '' }: SelectOption, wanted: string): number | null {
  const name = label.toLowerCase()
  if (name === wanted) return 0
  if (name.startsWith(wanted)) return 1
  if (name.includes(wanted)) return 2
  return hint.toLowerCase().includes(wanted) ? 3 : null
}

/** Options that contain the text, those from the service too; the name itself first, then names that begin with it. */
export function matching(options: readonly SelectOption[], text: string): readonly SelectOption[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return options.slice(0, MOST_SHOWN)
  return options
    .flatMap((option) => {
      const rank = rankOf(option, wanted)
      return rank === null ? [] : [{ option, rank }]
    })
    .toSorted((one, other) => one.rank - other.rank)
    .slice(0, MOST_SHOWN)
    .map(({ option }) => option)
}
