import type { Asking } from './asking.ts'
import type { DatabasePlace, NamedObject, NamePage, NamesFound, Seen, TableType } from './names.ts'

/**
 * Of an engine whose tables are in databases, and those in catalogs. Names are matched without regard to case. What the
 * engine or the service keeps for itself is not listed.
 */
export interface Catalogs {
  /** Lists as somebody sees them who is there: in a transaction, with what that has changed. */
  in(asking: Asking): CatalogReader
  readonly statements: DatabaseStatements
  /** Databases that every catalog has, and that nobody creates or drops; in small letters. */
  readonly permanent: ReadonlySet<string>
  /** Catalogs that it has beside the first one and that nobody gave it; in small letters. */
  readonly own?: ReadonlySet<string>
  /** Why tables and views of this catalog are not created, changed or dropped here, as a sentence; null: they are. */
  whyFixed?(catalog: string): string | null
  /** The same of its databases. */
  whyNoDatabases?(catalog: string): string | null
  /** Other names that a database cannot have; in small letters. */
  readonly reserved: ReadonlySet<string>
}

export interface CatalogReader {
  /** By name. */
  databases(catalog: string, seen: Seen): Promise<readonly string[]>
  /** Each with how many tables and views it has. */
  databasePage(catalog: string, page: NamePage): Promise<NamesFound>
  /** As it was written when the database was created; null when there is none. */
  databaseNamed(place: DatabasePlace): Promise<string | null>
  /** Tables and views together, by name. */
  tables(place: DatabasePlace, list: TableList): Promise<ListedTables>
  tablePage(place: DatabasePlace, type: TableType, page: NamePage): Promise<NamesFound>
  /** The true name of a table, view or function; null when there is none. */
  objectNamed(place: DatabasePlace, object: NamedObject): Promise<string | null>
  /** Of the whole catalog, by database and name. */
  allTables(catalog: string, most?: number): Promise<readonly ListedTable[]>
}

export interface TableList {
  readonly seen: Readonly<Record<TableType, Seen>>
  /** Only names that match this pattern of LIKE. */
  readonly like?: string | undefined
  readonly limit: number
}

export interface ListedTables {
  readonly names: readonly string[]
  /** There are more than these. */
  readonly isCut: boolean
}

interface ListedTable {
  readonly database: string
  readonly name: string
  readonly type: TableType
}

/**
 * Texts of statements that change something. They are run as a user's are: in a session, under an id by which the engine
 * remembers them, and with an outcome that says what they changed. None gives rows.
 */
export interface DatabaseStatements {
  createDatabase(place: DatabasePlace, options: { readonly ifNotExists: boolean }): string
  /** `cascade`: with everything in it. */
  dropDatabase(
    place: DatabasePlace,
    options: { readonly ifExists: boolean; readonly cascade: boolean },
  ): string
  /** From then on, names in the session are looked for there first. */
  enter(place: DatabasePlace): string
}
