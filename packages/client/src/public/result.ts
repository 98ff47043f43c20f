export interface Field {
  readonly name: string
  /** As the engine spells it, such as DECIMAL(18,2). */
  readonly type: string
  readonly family: 'number' | 'text' | 'boolean' | 'temporal' | 'binary' | 'nested' | 'other'
}

/** Every value is its exact text; null is SQL's NULL. */
export type Row = (string | null)[]

/** What a statement returned. Rows are fetched while you iterate, a thousand at a time, and none is kept here. */
export interface Result extends AsyncIterable<Row> {
  /** The history and the kept rows are found by it. */
  readonly queryId: string
  /** Empty for a statement that returns no rows. */
  readonly fields: readonly Field[]
  /** That a statement without rows has changed; null for one that returns rows, or that cannot tell. */
  readonly rowsChanged: number | null
  /** False: there are more rows than the limit of the session, or than the server keeps. */
  readonly isComplete: boolean
  /** From when it was first in its queue to its end, in milliseconds. */
  readonly timeMs: number
  /** What you should know beside the rows; usually empty. */
  readonly notice: string
  /** Can be iterated again for 24 hours, as long as the server keeps the rows. */
  [Symbol.asyncIterator](): AsyncGenerator<Row, void, undefined>
  /** Rows as objects with the names of the columns; of two with one name, the last has it. */
  objects(): AsyncGenerator<Record<string, string | null>, void, undefined>
}
