import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { ListedName } from '../../engine/objects.ts'
import { placeOf, type Sight, type View, returnBehindGuard } from '../guard/guard.ts'
import type { Informed } from '../guard/information-views.ts'
import { showing } from '../guard/seen-listings.ts'

const NOTHING: readonly ListedName[] = []

/** What the lists of a session show. */
export interface Shown extends View {
  readonly names: readonly ListedName[]
}

/** What the lists of a session show, which is decided again for each statement. */
export class SessionSight {
  /** Null: nobody knows, as after an interrupt. */
  private sight: Sight | null = 'all'
  /** Which `information_schema` is in the path. */
  private informed: Informed | null = null
  /** Which one the statement that comes next names. */
  informs: Informed | null = null
  private isAsWritten = false
  /** What is named in the session's variables. */
  private shown: readonly ListedName[] | null = NOTHING

  constructor(
    private readonly connection: DuckDBConnection,
    /** In which the session stands; null while that is not known. */
    public catalog: string | null,
  ) {}

  /** Everything in the account. */
  all(): Promise<void> {
    return this.look('all')
  }

  /** These names and no others. */
  async only(names: readonly ListedName[] = NOTHING): Promise<void> {
    await this.look('some')
    if (this.shown === names || (this.shown?.length === 0 && names.length === 0)) return
    this.shown = null
    await this.connection.run(showing(names))
    this.shown = names
  }

  /** By now. */
  state(): Shown {
    return { sight: this.sight ?? 'some', informs: this.informed, names: this.shown ?? NOTHING }
  }

  /**
   * The statement that comes next is run as it is written: what it does itself is done behind what its views do, and so on
   * no row that these leave out.
   */
  async asWritten(): Promise<void> {
    this.isAsWritten = true
    await this.connection.run('PRAGMA disable_optimizer')
  }

  /** Behind that statement, whatever came of it. */
  async asUsual(): Promise<void> {
    if (!this.isAsWritten) return
    const done = this.connection.run('PRAGMA enable_optimizer')
    // In a transaction that has failed nothing can be run: it is tried again behind the next statement.
    this.isAsWritten = await done.then(
      () => false,
      () => true,
    )
  }

  /** Before anything of a statement is looked up. */
  find(): Promise<void> {
    return this.look(this.sight ?? 'some')
  }

  /** The session has moved. */
  async moved(): Promise<void> {
    this.catalog = null
    const sight = this.sight ?? 'some'
    this.sight = null
    await this.look(sight)
  }

  /** The database in which it stands, if that is in this catalog. */
  async databaseIn(catalog: string): Promise<string | null> {
    if (this.catalog !== null && this.catalog !== catalog) return null
    const place = await placeOf(this.connection)
    return place.catalog === catalog ? place.database : null
  }

  /** Where it stands has another name. */
  async renamed(catalog: string, database: string): Promise<void> {
    this.sight = null
    await this.connection.run(`USE ${quotedIdentifier(catalog)}.${quotedIdentifier(database)}`)
    this.catalog = catalog
  }

  private async look(sight: Sight): Promise<void> {
    const { informs } = this
    if (this.sight === sight && this.informed === informs) return
    this.sight = null
    this.catalog = await returnBehindGuard(this.connection, { sight, informs })
    this.sight = sight
    this.informed = informs
  }
}
