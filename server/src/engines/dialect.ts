import type { SessionVariable } from './engine.ts'

/**
 * The words of an engine: how it is told what the service asks of it on its own behalf. Each gives the text of one
 * statement. What users write is theirs, and passes as it is.
 */
export interface Dialect {
  /** From now on the session shows instants in this zone. */
  setTimeZone(zone: string): string
  /** Gives the value, or fails where its text cannot be read again. */
  valueOf(variable: SessionVariable): string
  /** Fails unless texts can be compared so. */
  useCollation(name: string): string
  /** Statements that make sample data in this database, each of which may be run again; null where there is none. */
  readonly sampleData: ((database: string) => readonly string[]) | null
}

export interface DatabasePlace {
  readonly catalog: string
  readonly database: string
}

export interface NamedObject {
  readonly type: 'table' | 'view' | 'function'
  readonly name: string
}

export type TableType = 'BASE TABLE' | 'VIEW'

/** Of which names a list may tell: all, or those among these, which are in small letters. */
export type Seen = ReadonlySet<string> | 'all'

/** A part of a list that is ordered by name. */
export interface NamePage {
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
  readonly seen: Seen
  /** Only names that contain this, whatever its letter case; empty: all. */
  readonly search: string
  /** Only names that match this pattern of SQL, where names are at hand. */
  readonly like?: string | undefined
  /** Names that are not listed, in small letters. */
  readonly except?: ReadonlySet<string>
}

/** A table or a view. */
export interface ObjectPlace extends DatabasePlace {
  readonly type: 'table' | 'view'
  readonly name: string
  /** It was found by `tableTold`, and more of it is told in the same way. */
  readonly isTold?: boolean
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

/**
 * Of an engine that tells what its tables and views are made of, and changes them in its own words. What is asked for is
 * by its true name.
 */
export interface Descriptions {
  /**
   * All databases, tables and views of a catalog, by name, in one row: types ('database', 'table', 'view'), ids or null,
   * databases, names, each a list as JSON. A row for each would be 100,000 of them.
   */
  names(catalog: string, most: number): string
  /** All names of columns in a catalog, by name: a name, and the ids of what has it, with commas between them. */
  columnNames(catalog: string, most: number): string
  /** Functions that somebody made, as a page: how many there are in all, and a name. */
  functionPage(place: DatabasePlace, page: NamePage): string
  /** One row, or none when it is not there: comment, number of columns. */
  object(place: ObjectPlace): string
  /** One row: the estimated number of rows of a table. */
  estimate(place: ObjectPlace): string
  /**
   * Name, type, nullable ('true', 'false'), key ('PRI', 'UNI', 'MUL' or ''), default, length, precision, scale, comment;
   * in their order.
   */
  columns(place: ObjectPlace, page: { readonly offset: number; readonly limit: number }): string
  /** One row: the statement that makes it. */
  definition(place: ObjectPlace): string
  countRows(place: ObjectPlace): string
  sample(place: ObjectPlace, rows: number): string
  /**
   * Views and functions of any catalog that may name this one in their text, as many as that: catalog, database and
   * name.
   */
  mayNameCatalog(catalog: string, limit: number): string
  /** Database, name and type ('table', 'view') of what may use it, by its text; what does is found by binding. */
  mayUse(place: ObjectPlace, limit: number): string
  drop(place: ObjectPlace): string
  rename(place: ObjectPlace, to: string): string
  /** Of the whole, or of one column; empty: none. */
  comment(place: ObjectPlace, comment: string, column: string | null): string
  createTable(place: DatabasePlace & { readonly name: string }, columns: readonly NewColumn[]): string
  /** Makes a table of what a query reads: a new one, one without rows, or again in the place of the one that is there. */
  materialize(
    place: DatabasePlace & { readonly name: string },
    query: string,
    how: 'new' | 'empty' | 'again',
  ): string
  dropIfThere(place: ObjectPlace): string
}

/**
 * Of an engine whose tables lie in databases, and those in catalogs. Names are matched without regard to case. What the
 * engine or the service keeps for itself is not listed.
 */
export interface Catalogs {
  /** One column: names, in their order. */
  databases(catalog: string, seen: Seen): string
  /** The same as a page: how many there are in all, even where no name is, a name, how many tables and views it has. */
  databasePage(catalog: string, page: NamePage): string
  /** One column: the name as it was written when the database was created; no row when there is none. */
  databaseNamed(place: DatabasePlace): string
  /** One column: names of tables and views, in their order, the first so many of them. */
  tables(place: DatabasePlace, seen: Readonly<Record<'table' | 'view', Seen>>, limit?: number): string
  /** As a page: how many there are in all, and a name. */
  tablePage(place: DatabasePlace, type: TableType, page: NamePage): string
  /** One column: the true name of a table, view or function; no row when there is none. */
  objectNamed(place: DatabasePlace, object: NamedObject): string
  /**
   * The same of a table, without looking through all that there are. A row without a name where `objectNamed` alone can
   * tell.
   */
  tableTold(place: DatabasePlace, name: string): string
  /** Of the whole catalog: database, name and type, in this order. */
  allTables(catalog: string): string
  createDatabase(place: DatabasePlace, options: { readonly ifNotExists: boolean }): string
  /** `cascade`: with everything in it. */
  dropDatabase(
    place: DatabasePlace,
    options: { readonly ifExists: boolean; readonly cascade: boolean },
  ): string
  /** From now on the session stands there. */
  enter(place: DatabasePlace): string
  /** Databases that are there with every catalog, and so are neither made nor dropped; in small letters. */
  readonly permanent: ReadonlySet<string>
  /** Other names that cannot be those of a database; in small letters. */
  readonly reserved: ReadonlySet<string>
}
