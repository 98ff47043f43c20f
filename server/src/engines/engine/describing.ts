import type { Column } from './columns.ts'

/** The request to describe a statement, which only an engine that can do so gives out. */
export interface Describing {
  readonly of: 'statement'
}

/** What a statement would give and take, found without running it. */
export interface Described {
  /** Empty for a statement without a result; null when it is known only when the statement runs. */
  readonly columns: readonly Column[] | null
  readonly parameters: readonly DescribedParameter[]
}

export interface DescribedParameter {
  /** In small letters; counted from 1 where it has no name. */
  readonly name: string
  /** The engine's own spelling; null where any type will do. */
  readonly type: string | null
}
