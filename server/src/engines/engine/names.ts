export interface NamesFound {
  /** Of all pages. */
  readonly total: number
  /** `tables`: of a database, how many tables and views it has. */
  readonly list: readonly { readonly name: string; readonly tables?: number }[]
}

export interface DatabasePlace {
  readonly catalog: string
  readonly database: string
}

export interface NamedObject {
  readonly type: 'table' | 'view' | 'function'
  readonly name: string
}

export type TableType = 'table' | 'view'

/** Which names a list may show: all, or those among these, which are in small letters. */
export type Seen = ReadonlySet<string> | 'all'

/** A part of a list that is ordered by name. */
export interface NamePage {
  readonly descending: boolean
  readonly offset: number
  readonly limit: number
  readonly seen: Seen
  /** Only names that contain this, whatever its letter case; empty: all. */
  readonly search: string
  /** Names that are not listed, in small letters. */
  readonly except?: ReadonlySet<string>
}

/** A table or a view, by its true name. */
export interface ObjectPlace extends DatabasePlace {
  readonly type: TableType
  readonly name: string
}
