import type { TreeRow } from './tree-rows.ts'

/** Rows that are created on demand: of a hundred thousand, few are ever seen. */
export interface RowList<R extends TreeRow> {
  readonly length: number
  at(index: number): R | undefined
  /** -1: it is not there. */
  indexOf(id: string): number
}

export type TreeRows<R extends TreeRow> = readonly R[] | RowList<R>

const isArray = <R extends TreeRow>(rows: TreeRows<R>): rows is readonly R[] => Array.isArray(rows)

export function placeOf(rows: TreeRows<TreeRow>, id: string | null | undefined): number {
  if (!id) return -1
  return isArray(rows) ? rows.findIndex((row) => row.id === id) : rows.indexOf(id)
}

interface Run<R> {
  /** Of all of them, what an id begins with; the rest of it is the name. */
  readonly begin: string
  readonly names: readonly string[]
  readonly make: (name: string, at: number) => R
}

/** Rows that differ in their names alone. */
export const runOf = <R extends TreeRow>({ begin, names, make }: Run<R>): RowList<R> => ({
  length: names.length,
  at: (index) => {
    const name = names[index]
    return name === undefined ? undefined : make(name, index)
  },
  indexOf: (id) => (id.startsWith(begin) ? names.indexOf(id.slice(begin.length)) : -1),
})

type Piece<R extends TreeRow> = R | RowList<R>

const isList = <R extends TreeRow>(piece: Piece<R>): piece is RowList<R> => 'indexOf' in piece

/** All of these, one after the other. */
export function joined<R extends TreeRow>(pieces: readonly Piece<R>[]): RowList<R> {
  const starts: number[] = []
  let length = 0
  for (const piece of pieces) {
    starts.push(length)
    length += isList(piece) ? piece.length : 1
  }
  /** The last piece that begins there or before; one that is empty has another behind it. */
  function pieceAt(index: number): number {
    let [low, high] = [0, starts.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((starts[middle] ?? 0) <= index) low = middle
      else high = middle - 1
    }
    return low
  }
  return {
    length,
    at(index) {
      if (index < 0 || index >= length) return undefined
      const found = pieceAt(index)
      const piece = pieces[found]
      return piece && isList(piece) ? piece.at(index - (starts[found] ?? 0)) : piece
    },
    indexOf(id) {
      for (const [at, piece] of pieces.entries()) {
        const inside = isList(piece) ? piece.indexOf(id) : piece.id === id ? 0 : -1
        if (inside !== -1) return (starts[at] ?? 0) + inside
      }
      return -1
    },
  }
}
