/** Every value is its text; null is shown as such. */
export type GridCells = readonly (string | null)[]

/** Rows as the grid sees them, whether they are here or not. */
export interface GridRows {
  readonly count: number
  /** Undefined while it is not loaded. */
  at(index: number): GridCells | undefined
  /** True length in characters of a value of which only the beginning is here; undefined when all of it is. */
  lengthAt(index: number, column: number): number | undefined
}
