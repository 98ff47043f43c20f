import { foldedName } from '../../../kernel/same-name.ts'
import type { DuckDBInstance } from '@duckdb/node-api'
import type { NamesFound, TableType } from '../../engine/names.ts'
import type { ObjectChange, ObjectName } from '../../engine/objects.ts'
import { INTERNAL_SCHEMA } from '../guard/internal-schema.ts'
import { CatalogNames, type KeptPage, type ReadName } from './catalog-names.ts'

/** Databases of a catalog, or tables or views of one of them. */
export type AskedNames = { readonly catalog: string; readonly page: KeptPage } & (
  | { readonly of: 'databases' }
  | { readonly of: TableType; readonly database: string }
)

/** As `catalogs/catalog-queries.ts` lists them. */
const READ = `SELECT schema_name, table_name, 'table' FROM system.main.duckdb_tables()
    WHERE database_name = $1 AND schema_name <> '${INTERNAL_SCHEMA}'
  UNION ALL SELECT schema_name, view_name, 'view' FROM system.main.duckdb_views()
    WHERE database_name = $1 AND NOT internal
  UNION ALL SELECT schema_name, NULL, NULL FROM system.main.duckdb_schemas()
    WHERE database_name = $1 AND schema_name NOT IN ('pg_catalog', '${INTERNAL_SCHEMA}')`

/** So many changes are remembered for statements that were under way when they took effect. */
const MOST_REMEMBERED = 10_000
/** How often a list is read again that was changed in an unknown way while it was read. */
const READ_AGAIN = 3
/** Less than a listing waits for names (`BUSY_MS`): there is time left to query them in a statement. */
const MOST_READING_MS = 20_000
/** More are not kept. */
const MOST_NAMES = 1_000_000

const databaseKey = ({ catalog, database }: ObjectName): string =>
  JSON.stringify([catalog, database ?? ''].map(foldedName))
const objectKey = ({ catalog, database, name }: ObjectName): string =>
  JSON.stringify([catalog, database ?? '', name ?? ''].map(foldedName))

const objectsOf = (change: ObjectChange): readonly ObjectName[] =>
  change.change === 'renamed' ? [change.object, change.to] : [change.object]

/** Whether another change is about the same. A database is about all that is in it. */
function sameAs(changes: readonly ObjectChange[]): (change: ObjectChange) => boolean {
  const [objects, databases, within] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const object of changes.flatMap(objectsOf)) {
    objects.add(objectKey(object))
    within.add(databaseKey(object))
    if (object.type === 'database') databases.add(databaseKey(object))
  }
  return (change) =>
    objectsOf(change).some((object) =>
      object.type === 'database'
        ? within.has(databaseKey(object))
        : objects.has(objectKey(object)) || databases.has(databaseKey(object)),
    )
}

interface KnownNamesParts {
  readonly instance: DuckDBInstance
  /** The true name of a catalog that nobody but sessions changes; null of another. */
  keptCatalog(name: string): string | null
  readonly readingMs?: number
  readonly mostNames?: number
}

/** What was read. Null: there are too many names, or reading took too long. */
interface Reading {
  readonly names: CatalogNames | null
  /** No change happened meanwhile that it does not contain. */
  readonly isTrue: boolean
}

/**
 * Names of what is in the account's own catalogs. DuckDB takes some seconds to list 100,000 tables, so they are read
 * once. All statements that define something pass through this process, and each reports its changes here. When the
 * changes or their order are unknown, the names are read again.
 */
export class NameCache {
  private readonly kept = new Map<string, CatalogNames>()
  private readonly reading = new Map<string, Promise<Reading>>()
  /** What took effect last, in its order, and how many there were before. */
  private last: ObjectChange[] = []
  private earlier = 0

  constructor(private readonly parts: KnownNamesParts) {}

  /** A page of a list; null of what is not kept here, or is not there. */
  async page(asked: AskedNames): Promise<NamesFound | null> {
    const names = await this.namesOf(asked.catalog)
    if (!names) return null
    return asked.of === 'databases'
      ? names.databasePage(asked.page)
      : names.tablePage(asked.database, asked.of, asked.page)
  }

  /** To be taken before something is defined. */
  get position(): number {
    return this.earlier + this.last.length
  }

  /** This took effect, all at once, some time after that position. */
  took(changes: readonly ObjectChange[], since: number): void {
    if (changes.length === 0) return
    const meanwhile = since < this.earlier ? null : this.last.slice(since - this.earlier)
    // Of two that were under way at the same time nobody knows which came last.
    const isSame = meanwhile && sameAs(meanwhile)
    if (!isSame || changes.some(isSame)) this.doubt()
    for (const change of changes) this.remember(change)
  }

  /** Something may have changed, and nobody knows what. Statements that are under way are not trusted either. */
  doubt(): void {
    this.earlier = this.position + 1
    this.last = []
    this.kept.clear()
  }

  private remember(change: ObjectChange): void {
    this.last.push(change)
    if (this.last.length > MOST_REMEMBERED) {
      const forgotten = this.last.length - MOST_REMEMBERED / 2
      this.last = this.last.slice(forgotten)
      this.earlier += forgotten
    }
    const key = foldedName(change.object.catalog)
    if (this.kept.get(key)?.apply(change) === false) this.kept.delete(key)
  }

  private async namesOf(asked: string): Promise<CatalogNames | null> {
    for (let tries = 0; ; tries++) {
      // It may have another name by now, or be gone.
      const catalog = this.parts.keptCatalog(asked)
      if (catalog === null) return null
      const kept = this.kept.get(foldedName(catalog))
      if (kept) return kept
      const { names, isTrue } = await this.readShared(catalog)
      if (!names || isTrue) return names
      // As it was at some time since it was asked for, if it is the same catalog.
      if (tries >= READ_AGAIN) return this.parts.keptCatalog(asked) === catalog ? names : null
    }
  }

  private readShared(catalog: string): Promise<Reading> {
    const key = foldedName(catalog)
    const begun = this.reading.get(key)
    if (begun) return begun
    const reading = this.readAndKeep(catalog).finally(() => this.reading.delete(key))
    this.reading.set(key, reading)
    return reading
  }

  private async readAndKeep(catalog: string): Promise<Reading> {
    const { position } = this
    const names = await this.read(catalog)
    if (!names || position < this.earlier) return { names, isTrue: false }
    const meanwhile = this.last.slice(position - this.earlier)
    const key = foldedName(catalog)
    const isTrue = meanwhile
      .filter(({ object }) => foldedName(object.catalog) === key)
      .every((change) => names.apply(change))
    if (isTrue) this.kept.set(key, names)
    return { names, isTrue }
  }

  /** On a connection of its own, so that nobody waits for it. Null of what takes too long, is too much or is not there. */
  private async read(catalog: string): Promise<CatalogNames | null> {
    const { instance, readingMs = MOST_READING_MS, mostNames = MOST_NAMES } = this.parts
    const connection = await instance.connect()
    let isLate = false
    // Again and again: one that comes before DuckDB is at work has no effect.
    const interrupt = setInterval(() => {
      isLate = true
      connection.interrupt()
    }, readingMs)
    try {
      const rows = (await connection.runAndReadAll(`${READ} LIMIT ${mostNames + 1}`, [catalog])).getRows()
      // Every catalog has a database.
      return rows.length === 0 || rows.length > mostNames ? null : new CatalogNames(rows.map(readName))
    } catch (error) {
      if (isLate) return null
      throw error
    } finally {
      clearInterval(interrupt)
      connection.closeSync()
    }
  }
}

const readName = ([database, name, type]: readonly unknown[]): ReadName => ({
  database: String(database),
  name: typeof name === 'string' ? name : null,
  type: type as TableType | null,
})
