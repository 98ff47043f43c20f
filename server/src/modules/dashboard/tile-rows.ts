import type { Field } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'

interface ReadRows {
  readonly columns: readonly Field[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly totalRows: number
  readonly complete: boolean
}

interface TileRows {
  readonly fields: Field[]
  readonly rows: (string | null)[][]
  readonly totalRows: number
  readonly complete: boolean
}

/** The first rows that a statement of this user returned, if they may still see them. */
export type RowsOf = (holder: Actor, queryId: string) => Promise<TileRows>

export const tileRows =
  (read: (holder: Actor, queryId: string) => Promise<ReadRows>): RowsOf =>
  async (holder, queryId) => {
    const { columns, rows, totalRows, complete } = await read(holder, queryId)
    return { fields: [...columns], rows: rows.map((row) => [...row]), totalRows, complete }
  }
