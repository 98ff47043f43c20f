import type { DatabasePlace, NamePage, NamedObject, Seen, TableType } from './names.ts'

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
