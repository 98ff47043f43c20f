import type { DatabasePlace, NamePage, ObjectPlace } from './names.ts'

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
