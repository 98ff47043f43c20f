import type { StoredColumn } from '../../../results/form.ts'
import type { PlacedText, TextsAt } from './column-statistics.ts'
import type { Found, FoundResults } from './found-result.ts'

interface Wanted extends Pick<FoundResults, 'readWindow'> {
  readonly column: StoredColumn
  readonly longestCell: number
}

/** Values of one column at some places, as they are shown. */
export const placedTexts =
  (found: Found, { column, longestCell, readWindow }: Wanted): TextsAt =>
  async (places) => {
    const some = [...new Set(places)]
    const { rows, longCells } = await readWindow(found, {
      columns: [column],
      rows: { places: some },
      longestCell,
    })
    const cut = new Set(longCells?.map(({ row }) => row))
    return new Map(
      some.flatMap((place, at): [number, PlacedText][] => {
        const text = rows[at]?.[0] ?? null
        return text === null ? [] : [[place, { text, isCut: cut.has(at) }]]
      }),
    )
  }
