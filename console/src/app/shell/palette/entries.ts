import type { TextKey } from '../../../i18n/texts.ts'

export type EntryKind = TextKey extends infer K
  ? K extends `palette.kinds.${infer Kind}`
    ? Kind
    : never
  : never

/** Something to go to or to do. */
export interface Entry {
  readonly key: string
  readonly kind: EntryKind
  readonly name: string
  /** Where it is, as in the catalog and database of a table. */
  readonly hint?: string
  readonly act: () => void
}

const MOST = 50

/** Lower is better; null when a word is missing. */
function rankOf(name: string, words: readonly string[]): number | null {
  const text = name.toLowerCase()
  if (!words.every((word) => text.includes(word))) return null
  const [first = ''] = words
  if (text.startsWith(first)) return 0
  return new RegExp(`[^\\p{L}\\p{N}]${first.replaceAll(/[^\p{L}\p{N}]/gu, '.')}`, 'u').test(text) ? 1 : 2
}

/** Every word somewhere in the name or the place; names that begin with the first word come first. */
export function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return entries.filter(({ kind }) => kind === 'page' || kind === 'action')
  return entries
    .flatMap((entry) => {
      const rank =
        rankOf(entry.name, words) ?? (rankOf(`${entry.name} ${entry.hint ?? ''}`, words) === null ? null : 3)
      return rank === null ? [] : [{ entry, rank }]
    })
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MOST)
    .map(({ entry }) => entry)
}
