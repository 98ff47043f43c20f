import type { Asking } from './asking.ts'
import type { DatabasePlace, NamePage, NamesFound, ObjectPlace, TableType } from './names.ts'
import type { ResultRows } from './rows.ts'

/** Of an engine that describes its tables and views, and changes them. What is asked for is by its true name. */
export interface Descriptions {
  in(asking: Asking): DescriptionReader
  readonly statements: TableStatements
}

export interface DescriptionReader {
  /** All databases, tables and views of a catalog, by name. */
  names(catalog: string, most: number): Promise<readonly CatalogName[]>
  /** All names of columns in a catalog, by name. */
  columnNames(catalog: string, most: number): Promise<readonly ColumnName[]>
  /** Functions that a user created. */
  functionPage(place: DatabasePlace, page: NamePage): Promise<NamesFound>
  /** Null when it is not there. */
  object(place: ObjectPlace): Promise<ObjectFacts | null>
  /** About how many rows a table has; null where that is unknown. */
  estimate(place: ObjectPlace): Promise<number | null>
  /** In their order. */
  columns(place: ObjectPlace, page: ColumnRange): Promise<DescribedColumns>
  /** Its keys and indexes: the primary key first, then by name. */
  keys(place: ObjectPlace): Promise<readonly DescribedKey[]>
  /** What is in a database, tables and views together, by name; without those whose name is not `isWanted`. */
  tables(place: DatabasePlace, list: DescribedList): Promise<readonly DescribedTable[]>
  /** The statement that creates it; null when it is not there. */
  definition(place: ObjectPlace): Promise<string | null>
  countRows(place: ObjectPlace): Promise<number>
  /** The first rows; `truncated` when there are more. */
  sample(place: ObjectPlace, rows: number): Promise<ResultRows>
  /** Views and functions of any catalog that may name this one in their text. */
  mayNameCatalog(catalog: string, limit: number): Promise<readonly NamedPlace[]>
  /** What may use it, by its text. Whether it does is found by binding. */
  mayUse(place: ObjectPlace, limit: number): Promise<readonly ObjectPlace[]>
}

/** A name in a catalog. */
export interface CatalogName {
  readonly type: 'database' | 'table' | 'view'
  /** By which columns name their table; null of a database. */
  readonly id: string | null
  readonly database: string
  readonly name: string
}

export interface ColumnName {
  readonly name: string
  /** The ids of the tables and views that have such a column. Made when it is called: there may be many. */
  holders(): readonly string[]
}

export interface ObjectFacts {
  /** Empty: none. */
  readonly comment: string
  readonly columnCount: number
}

export interface ColumnRange {
  readonly offset: number
  readonly limit: number
}

export interface DescribedColumns {
  /** Of all pages. */
  readonly total: number
  readonly columns: readonly DescribedColumn[]
}

export interface DescribedColumn {
  readonly name: string
  /** In the engine's own spelling. */
  readonly type: string
  readonly nullable: boolean
  /** The key that it is a part of, as MySQL names it: primary, unique, or any other. */
  readonly key: 'PRI' | 'UNI' | 'MUL' | ''
  /** As an expression. */
  readonly default: string | null
  readonly length: number | null
  readonly precision: number | null
  readonly scale: number | null
  /** Empty: none. */
  readonly comment: string
}

export interface DescribedKey {
  readonly kind: 'primary' | 'unique' | 'index' | 'foreign'
  readonly name: string
  /** In their order; of an index also expressions, in parentheses. */
  readonly columns: readonly string[]
  /** Of a foreign key: a table of the same database, and its columns in the same order. */
  readonly references: { readonly table: string; readonly columns: readonly string[] } | null
}

interface DescribedList {
  /** Of all tables and views of the database, so many are looked at. */
  readonly most: number
  isWanted(name: string, type: TableType): boolean
}

export interface DescribedTable {
  readonly name: string
  readonly type: TableType
  /** About how many; null where that is unknown. */
  readonly rows: number | null
  /** Empty: none. */
  readonly comment: string
}

export interface NamedPlace extends DatabasePlace {
  readonly name: string
}

/** As a column of a new table is described by somebody who does not write SQL. */
export interface NewColumn {
  readonly name: string
  readonly type: string
  readonly nullable: boolean
  readonly primaryKey: boolean
  /** A value as text; empty: none. */
  readonly default: string
}

/** Texts of statements that change tables and views, run as those of `DatabaseStatements`. */
export interface TableStatements {
  drop(place: ObjectPlace): string
  dropIfThere(place: ObjectPlace): string
  rename(place: ObjectPlace, to: string): string
  /** Of the whole, or of one column; empty: none. */
  comment(place: ObjectPlace, comment: string, column: string | null): string
  createTable(place: NamedPlace, columns: readonly NewColumn[]): string
  /** Makes a table of what a query reads: a new one, one without rows, or again in place of the one that is there. */
  materialize(place: NamedPlace, query: string, how: 'new' | 'empty' | 'again'): string
  /** Removes what is left of the rows that such a table had before; null where nothing is left. */
  tidy(place: NamedPlace): string | null
}
