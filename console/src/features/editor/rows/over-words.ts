import { t } from '../../../i18n/texts.ts'

interface Over {
  /** Rows that were looked at, from the first on. */
  readonly seen: number
  /** Rows that can be looked at. */
  readonly all: number
  /** The statement has more than those. */
  readonly isPart: boolean
}

const exact = (count: number): string => count.toLocaleString('en-US')

/** Over which rows something was computed, where those are not all; null: it is of all. */
export function overWords({ seen, all, isPart }: Over): string | null {
  if (seen >= all && !isPart) return null
  const rows = { shown: exact(seen), all: exact(all) }
  if (seen >= all) return t('resultView.over.first', rows)
  return t(isPart ? 'resultView.over.firstOfMore' : 'resultView.over.firstOf', rows)
}
