import type { StatementAnswer } from '../../modules/query/answers/answer.ts'

/** Longer cells are cut: an agent reads all that it is sent. */
const LONGEST_CELL = 1_000
/** Of all cells of an answer; rows beyond it are left out. */
const MOST_CHARACTERS = 400_000

export interface ShownRows {
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
  /** There are more than these. */
  readonly more: boolean
  /** Cells that have only their beginning. */
  readonly cutCells: number
}

/** Not in the middle of a character of two units. */
const beginningOf = (text: string): string => {
  const isSplit = (text.codePointAt(LONGEST_CELL - 1) ?? 0) > 0xffff
  return text.slice(0, isSplit ? LONGEST_CELL - 1 : LONGEST_CELL)
}

/** What an agent is shown of a result: so many rows, long cells cut with a mark. */
export function shownRows({ result, firstRows }: StatementAnswer, mostRows: number): ShownRows {
  const { columns = [], rows = [], longCells = [], truncated = false } = result ?? {}
  const lengths = new Map(longCells.map(({ row, column, length }) => [`${row}/${column}`, length]))
  const shown: (string | null)[][] = []
  let characters = 0
  let cutCells = 0
  for (const [row, cells] of rows.slice(0, mostRows).entries()) {
    const line = cells.map((cell, column) => {
      if (cell === null) return null
      const length = lengths.get(`${row}/${column}`) ?? cell.length
      if (length <= LONGEST_CELL) return cell
      cutCells++
      return `${beginningOf(cell)}… [cut: ${length} characters]`
    })
    characters += line.reduce((sum, cell) => sum + (cell?.length ?? 4) + 3, 0)
    if (characters > MOST_CHARACTERS && shown.length > 0) break
    shown.push(line)
  }
  const more = shown.length < rows.length || truncated || firstRows !== null
  return { columns: columns.map(({ name, type }) => ({ name, type })), rows: shown, more, cutCells }
}
