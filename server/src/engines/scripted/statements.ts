import type { DatabasePlace, NamedObject, NamePage, Seen, TableType } from '../engine/names.ts'
import type { Purpose } from '../engine/run.ts'

export type Value = bigint | string | boolean | null

const TYPES = ['INT', 'BIGINT', 'TEXT', 'BOOL'] as const
export type Type = (typeof TYPES)[number]

export type Expression =
  | { readonly kind: 'literal'; readonly value: Value }
  | { readonly kind: 'column'; readonly name: string; readonly offset: number }
  | {
      readonly kind: 'call'
      readonly name: string
      readonly args: readonly Expression[]
      readonly offset: number
    }
  | {
      readonly kind: 'binary'
      readonly sign: string
      readonly left: Expression
      readonly right: Expression
      readonly offset: number
    }

export interface TableName {
  readonly parts: readonly string[]
  readonly offset: number
}

export interface Select {
  /** Null: all columns. */
  readonly items: readonly { readonly expression: Expression; readonly name: string }[] | null
  readonly from: Source | null
  readonly where: Expression | null
  readonly orderBy: { readonly column: string; readonly descending: boolean; readonly offset: number } | null
  readonly limit: number | null
  readonly offset: number
}

export type Source =
  | { readonly kind: 'table'; readonly table: TableName }
  /** Numbers from 0 on, in one column. */
  | { readonly kind: 'range'; readonly count: bigint; readonly column: string }

/** A page, or all that may be seen. */
export type Listed = NamePage | { readonly seen: Seen }

export interface ColumnDefinition {
  readonly name: string
  readonly type: Type
  readonly isKey: boolean
}

export type Statement =
  | { readonly kind: 'select'; readonly select: Select }
  | { readonly kind: 'list databases'; readonly catalog: string; readonly page: Listed }
  | { readonly kind: 'find database'; readonly place: DatabasePlace }
  | { readonly kind: 'find object'; readonly place: DatabasePlace; readonly object: NamedObject }
  | {
      readonly kind: 'list tables'
      readonly place: DatabasePlace
      readonly type: TableType
      readonly page: Listed
    }
  | {
      readonly kind: 'list both'
      readonly place: DatabasePlace
      readonly seen: Readonly<Record<'table' | 'view', Seen>>
    }
  | { readonly kind: 'list all tables'; readonly catalog: string }
  | {
      readonly kind: 'create table'
      readonly table: TableName
      readonly temporary: boolean
      readonly lenient: boolean
      readonly made: readonly ColumnDefinition[] | Select
    }
  | { readonly kind: 'create view'; readonly table: TableName; readonly select: Select }
  | { readonly kind: 'drop table'; readonly table: TableName; readonly lenient: boolean }
  | {
      readonly kind: 'insert'
      readonly table: TableName
      readonly rows: readonly (readonly Expression[])[] | Select
    }
  | {
      readonly kind: 'update'
      readonly table: TableName
      readonly column: { readonly name: string; readonly offset: number }
      readonly value: Expression
      readonly where: Expression | null
    }
  | { readonly kind: 'delete'; readonly table: TableName; readonly where: Expression | null }
  | { readonly kind: 'make database'; readonly place: DatabasePlace; readonly lenient: boolean }
  | {
      readonly kind: 'unmake database'
      readonly place: DatabasePlace
      readonly lenient: boolean
      readonly withTables: boolean
    }
  | { readonly kind: 'enter'; readonly place: DatabasePlace }
  | { readonly kind: 'zone'; readonly zone: string }
  | { readonly kind: 'begin' | 'commit' | 'rollback' }

const READS = new Set<Statement['kind']>([
  'select',
  'list databases',
  'find database',
  'find object',
  'list tables',
  'list both',
  'list all tables',
])
const OF_SESSION = new Set<Statement['kind']>(['begin', 'commit', 'rollback'])
const MOVES = new Set<Statement['kind']>(['enter', 'zone'])

/** Null for what only the service sends. */
export function purposeOf({ kind }: Statement): Purpose | null {
  if (MOVES.has(kind)) return null
  if (OF_SESSION.has(kind)) return 'session'
  return READS.has(kind) ? 'reads' : 'writes'
}
