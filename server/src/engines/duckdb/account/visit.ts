import { foldedName } from '../../../kernel/same-name.ts'
/** A session, as far as further catalogs have to know it. */
export interface Visitor {
  /** In which it stands; null while that is not known. */
  catalog(): string | null
  /** The database in which it stands, if that is in this catalog. */
  databaseIn(catalog: string): Promise<string | null>
  /** A catalog has another name; `database`: the session is in this database of it, and stays there. */
  renamed(from: string, to: string, database: string | null): Promise<void>
}

/** What one session may be doing in further catalogs, so that none is renamed under it. */
export class Visit {
  /** In small letters, of those that its statement or open transaction may use. */
  private readonly reached = new Set<string>()
  private isBusy = false

  constructor(readonly visitor: Visitor) {}

  /** A statement begins, or the next one of an open transaction. */
  begin(sql: string, catalogs: Iterable<string>): void {
    this.isBusy = true
    const text = foldedName(sql)
    const catalog = this.visitor.catalog()
    const place = catalog === null ? null : foldedName(catalog)
    for (const key of catalogs)
      if (place === null || place === key || text.includes(key)) this.reached.add(key)
  }

  end(): void {
    this.isBusy = false
    this.reached.clear()
  }

  /** `isReferredTo`: views and macros read the catalog without naming it in a statement. */
  mayUse(key: string, isReferredTo: boolean): boolean {
    return this.isBusy && (isReferredTo || this.reached.has(key))
  }
}
