import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { FolderCatalog as Definition, FolderReport } from '../../engine.ts'
import { readReport } from '../errors.ts'
import type { FullName } from '../objects/names.ts'
import {
  type BrokenTable,
  type FolderContent,
  type FolderPlace,
  FolderUnreadable,
  scanFolder,
  type TableFiles,
  trueFolder,
} from './scan.ts'
import { brokenView, dropView, isBroken, readingOf, viewOf } from './views.ts'

/** Whoever asks for it within this time is answered with what was seen. */
const FRESH_MS = 250
/** A large folder is looked at less often, but often enough. */
const REST_FACTOR = 4
const STALE_MS = 5_000
const WITHIN_MS = 10_000
/** Of a folder that is tried out, so many tables are looked into. */
const MOST_TRIED = 50

/** There with every catalog of DuckDB's. */
const ALWAYS = 'main'

interface Shown extends Pick<TableFiles, 'database' | 'table'> {
  readonly stamp: string
}

const keyOf = ({ database, table }: Pick<TableFiles, 'database' | 'table'>): string =>
  JSON.stringify([database, table])

const stampOf = (table: TableFiles | BrokenTable): string => (isBroken(table) ? table.problem : table.stamp)

/** A catalog over a folder of files: a database in memory with a view for each table, kept as the folder is. */
export class FolderCatalog {
  /** The true path of what it shows; null while that is not known. */
  base: string | null = null
  /** Why it cannot be read, as a sentence without its end; null when it can. */
  problem: string | null = null
  private shown = new Map<string, Shown>()
  private databases = new Set<string>()
  private scanning: Promise<void> | null = null
  private freshUntil = Number.NEGATIVE_INFINITY

  constructor(
    readonly definition: Definition,
    /** Of its own: no statement of anybody else runs on it. */
    private readonly connection: DuckDBConnection,
    /** What is defined is no longer what it was. */
    private readonly onChanged: () => void,
  ) {}

  get name(): string {
    return this.definition.name
  }

  /** Looks at the folder again if that was not done right now. Resolves in any case, within some seconds. */
  async refresh(): Promise<void> {
    if (performance.now() < this.freshUntil) return
    const late = new AbortController()
    this.scanning ??= this.look(late.signal).finally(() => (this.scanning = null))
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        late.abort()
        this.problem = `it does not answer within ${WITHIN_MS / 1000} s`
        resolve()
      }, WITHIN_MS)
    })
    await Promise.race([this.scanning, deadline])
    clearTimeout(timer)
  }

  /** Not in the middle of a look: that would wait for a folder that may never answer. */
  close(): void {
    const close = () => this.connection.closeSync()
    if (this.scanning) void this.scanning.then(close, close)
    else close()
  }

  /** The table that a file belongs to. */
  tableOf(file: string): FullName | null {
    const { base, name } = this
    if (base === null || !file.startsWith(`${base}/`)) return null
    const [schema, table, ...rest] = file.slice(base.length + 1).split('/')
    return schema && table && rest.length > 0 ? { catalog: name, schema, name: table } : null
  }

  /** Takes the paths of the machine out of a message. */
  mask(message: string): string {
    return this.base === null ? message : message.replaceAll(this.base, this.name)
  }

  private async look(stop: AbortSignal): Promise<void> {
    const begun = performance.now()
    let seen = begun
    try {
      const base = await trueFolder(placeOf(this.definition))
      this.base = base
      const content = await scanFolder(base, { stop })
      seen = performance.now()
      await this.show(content)
      this.problem = null
    } catch (error) {
      if (!(error instanceof FolderUnreadable)) throw error
      this.problem = error.message
      // What was seen of one that is only slow may still be there.
      if (!stop.aborted) await this.show({ databases: [], tables: [], ignored: [] })
    } finally {
      const rest = Math.min(STALE_MS, REST_FACTOR * (seen - begun))
      this.freshUntil = performance.now() + Math.max(FRESH_MS, rest)
    }
  }

  private async show({ databases, tables }: FolderContent): Promise<void> {
    const catalog = quotedIdentifier(this.name)
    const gone = new Map(this.shown)
    for (const database of databases)
      if (!this.databases.has(database))
        await this.connection.run(`CREATE SCHEMA IF NOT EXISTS ${catalog}.${quotedIdentifier(database)}`)
    for (const table of tables) {
      const key = keyOf(table)
      gone.delete(key)
      if (this.shown.get(key)?.stamp === stampOf(table)) continue
      await this.showTable(table)
      this.onChanged()
      this.shown.set(key, { database: table.database, table: table.table, stamp: stampOf(table) })
    }
    for (const [key, table] of gone) {
      await this.connection.run(dropView(this.name, table))
      this.onChanged()
      this.shown.delete(key)
    }
    const left = new Set(databases)
    for (const database of this.databases)
      if (!left.has(database) && database.toLowerCase() !== ALWAYS)
        await this.connection.run(`DROP SCHEMA IF EXISTS ${catalog}.${quotedIdentifier(database)} CASCADE`)
    this.databases = left
  }

  private async showTable(table: TableFiles | BrokenTable): Promise<void> {
    if (isBroken(table)) return void (await this.connection.run(brokenView(this.name, table)))
    const { database, table: name } = table
    try {
      await this.connection.run(viewOf(this.name, table))
    } catch (error) {
      const problem = firstLine(this.mask(readReport(error).message))
      await this.connection.run(brokenView(this.name, { database, table: name, problem }))
    }
  }
}

const placeOf = ({ root, below }: Definition): FolderPlace => {
  if (root === null) throw new FolderUnreadable('whoever runs the service has not opened it to this account')
  return { root, below }
}

/** DuckDB goes on with advice about options that nobody can give here. */
const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/[.:]\s*$/, '')

/** What a catalog over this folder would show. Throws a `FolderUnreadable`. */
export async function tryFolder(connection: DuckDBConnection, definition: Definition): Promise<FolderReport> {
  const base = await trueFolder(placeOf(definition))
  const { databases, tables, ignored } = await scanFolder(base, { stop: AbortSignal.timeout(WITHIN_MS) })
  const problems = [...ignored]
  for (const table of tables.slice(0, MOST_TRIED)) {
    const problem = isBroken(table) ? table.problem : await problemOf(connection, table)
    if (problem !== null)
      problems.push(`${table.database}/${table.table}: ${problem.replaceAll(base, definition.name)}`)
  }
  return { databases: databases.length, tables: tables.length, problems }
}

async function problemOf(connection: DuckDBConnection, table: TableFiles): Promise<string | null> {
  try {
    const prepared = await connection.prepare(readingOf(table))
    prepared.destroySync()
    return null
  } catch (error) {
    return firstLine(readReport(error).message)
  }
}
