import type { Column } from '../../../engines/engine/columns.ts'
import { AppError } from '../../../kernel/app-error.ts'
import type { ComparisonOrder } from '../../../results/computing.ts'
import type { FoundRow } from './result-access.ts'
import { columnsOf, requireColumns } from './result-columns.ts'

type Pairs = ComparisonOrder['columns']

/** Of columns with the same name, the first is one with the first, the second with the second. */
function placesByName(columns: readonly Column[]): Map<string, number> {
  const seen = new Map<string, number>()
  return new Map(
    columns.map(({ name }, at) => {
      const nth = seen.get(name) ?? 0
      seen.set(name, nth + 1)
      return [JSON.stringify([name, nth]), at]
    }),
  )
}

/** The columns that both results have, and the names of the others. */
export function pairedColumns(here: readonly Column[], earlier: readonly Column[]) {
  const [ours, theirs] = [placesByName(here), placesByName(earlier)]
  const pairs: Pairs = [...ours].flatMap(([name, at]) => {
    const other = theirs.get(name)
    return other === undefined ? [] : [{ here: at, earlier: other }]
  })
  const [only, gone] = [missingIn(theirs, ours), missingIn(ours, theirs)]
  return {
    pairs,
    onlyHere: only.flatMap((at) => here[at]?.name ?? []),
    onlyEarlier: gone.flatMap((at) => earlier[at]?.name ?? []),
  }
}

const missingIn = (others: ReadonlyMap<string, number>, places: ReadonlyMap<string, number>): number[] =>
  [...places].flatMap(([name, at]) => (others.has(name) ? [] : [at]))

/** The places of key columns among the pairs. */
export function requireKeys(
  row: FoundRow,
  { keys, pairs }: { readonly keys: readonly number[]; readonly pairs: Pairs },
): number[] {
  requireColumns(row, keys)
  return keys.map((key) => {
    const at = pairs.findIndex(({ here }) => here === key)
    if (at < 0)
      throw new AppError(
        'BadInput',
        `keys: The earlier result has no column ${columnsOf(row)[key]?.name ?? key}.`,
      )
    return at
  })
}
