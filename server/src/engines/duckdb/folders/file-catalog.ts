import { isSameName } from '../../../kernel/same-name.ts'
import { type DuckDBConnection, quotedIdentifier } from '@duckdb/node-api'
import type { FolderReport } from '../../engine/attachments.ts'
import { readReport } from '../errors.ts'
import type { FullName } from '../objects/names.ts'
import type { FileSource, IsNamed } from './file-source.ts'
import {
  type BrokenTable,
  type FolderContent,
  FolderUnreadable,
  type TableFiles,
  type WrittenTable,
} from './layout.ts'
import { brokenView, dropView, isBroken, readingOf, viewOf } from './views.ts'

/** A large folder is looked at less often, but often enough. */
const REST_FACTOR = 4
const STALE_MS = 5_000
/** Of a folder that is tried out, so many tables are looked into. */
const MOST_TRIED = 50

/** There with every catalog of DuckDB's. */
const ALWAYS = 'main'

/** A table that DuckDB could not read is tried again after this time: what it lies on may have been down. */
const AGAIN_MS = 5_000

interface Shown extends Pick<TableFiles, 'database' | 'table'> {
  readonly stamp: string
  /** By the clock of `performance`. */
  readonly goodUntil: number
}

/** Names and columns are known without the files of a table. */
const NO_TABLE: IsNamed = () => false

/** The first that are asked about. */
function firstTables(most: number): IsNamed {
  const names = new Set<string>()
  return (table) => {
    if (names.size < most) names.add(table)
    return names.has(table)
  }
}

const keyOf = ({ database, table }: Pick<TableFiles, 'database' | 'table'>): string =>
  JSON.stringify([database, table])

const stampOf = (table: TableFiles | WrittenTable | BrokenTable): string =>
  isBroken(table) ? table.problem : table.stamp

export interface FileWorld {
  /** Of its own: no statement of anybody else runs on it. */
  readonly connection: DuckDBConnection
  /** What is defined is no longer what it was. */
  onChanged(): void
}

/** A catalog over files: a database in memory with a view for each table, kept as what lies there is. */
export class FileCatalog {
  /** Why it cannot be read, as a sentence without its end; null when it can. */
  problem: string | null = null
  private shown = new Map<string, Shown>()
  private databases = new Set<string>()
  private scanning: Promise<void> | null = null
  private freshUntil = Number.NEGATIVE_INFINITY

  constructor(
    readonly name: string,
    private readonly source: FileSource,
    private readonly world: FileWorld,
  ) {}

  /** Looks there again if that was not done right now for these tables. Resolves in any case, within some seconds. */
  async refresh(isNamed = NO_TABLE): Promise<void> {
    if (this.isFresh(isNamed)) return
    const late = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const deadline = new Promise<void>((resolve) => {
      timer = setTimeout(() => {
        late.abort()
        this.problem = `it does not answer within ${this.source.withinMs / 1000} s`
        resolve()
      }, this.source.withinMs)
    })
    await Promise.race([this.looked(isNamed, late.signal), deadline])
    clearTimeout(timer)
  }

  /** Not in the middle of a look: that would wait for a folder that may never answer. */
  close(): void {
    const close = () => {
      this.world.connection.closeSync()
      this.source.close()
    }
    if (this.scanning) void this.scanning.then(close, close)
    else close()
  }

  /** The table that a file belongs to. */
  tableOf(file: string): FullName | null {
    const found = this.source.tableOf(file)
    return found && { catalog: this.name, ...found }
  }

  /** Removes from a message what nobody may see. */
  mask(message: string): string {
    return this.source.mask(message)
  }

  private isFresh(isNamed: IsNamed): boolean {
    return performance.now() < this.freshUntil && !this.source.lacks?.(isNamed)
  }

  /** One look after the other: that of another statement may have been for other tables. */
  private async looked(isNamed: IsNamed, stop: AbortSignal): Promise<void> {
    while (this.scanning) await this.scanning
    if (this.isFresh(isNamed) || stop.aborted) return
    this.scanning = this.look(stop, isNamed).finally(() => (this.scanning = null))
    await this.scanning
  }

  private async look(stop: AbortSignal, isNamed: IsNamed): Promise<void> {
    const begun = performance.now()
    let seen = begun
    try {
      const content = await this.source.look(stop, isNamed)
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
      this.freshUntil = performance.now() + Math.max(this.source.freshMs, rest)
    }
  }

  private async show({ databases, tables }: FolderContent): Promise<void> {
    const catalog = quotedIdentifier(this.name)
    const gone = new Map(this.shown)
    for (const database of databases)
      if (!this.databases.has(database))
        await this.world.connection.run(
          `CREATE SCHEMA IF NOT EXISTS ${catalog}.${quotedIdentifier(database)}`,
        )
    for (const table of tables) {
      const key = keyOf(table)
      gone.delete(key)
      const before = this.shown.get(key)
      const stamp = stampOf(table)
      if (before?.stamp === stamp && performance.now() < before.goodUntil) continue
      const isRead = await this.showTable(table)
      this.world.onChanged()
      const goodUntil = isRead ? Number.POSITIVE_INFINITY : performance.now() + AGAIN_MS
      this.shown.set(key, { database: table.database, table: table.table, stamp, goodUntil })
    }
    for (const [key, table] of gone) {
      await this.world.connection.run(dropView(this.name, table))
      this.world.onChanged()
      this.shown.delete(key)
    }
    const left = new Set(databases)
    for (const database of this.databases)
      if (!left.has(database) && !isSameName(database, ALWAYS))
        await this.world.connection.run(
          `DROP SCHEMA IF EXISTS ${catalog}.${quotedIdentifier(database)} CASCADE`,
        )
    this.databases = left
  }

  /** False when DuckDB cannot read it, which may be otherwise in a moment. */
  private async showTable(table: TableFiles | WrittenTable | BrokenTable): Promise<boolean> {
    try {
      await this.world.connection.run(
        isBroken(table) ? brokenView(this.name, table) : viewOf(this.name, table),
      )
      return true
    } catch (error) {
      const problem = firstLine(this.mask(readReport(error).message))
      await this.world.connection.run(brokenView(this.name, { ...table, problem }))
      return false
    }
  }
}

/** DuckDB adds advice about options that nobody can set here. */
const firstLine = (message: string): string => (message.split('\n')[0] ?? '').replace(/[.:]\s*$/, '')

/** What a catalog over these files would show. Throws a `FolderUnreadable`. */
export async function tryFiles(connection: DuckDBConnection, source: FileSource): Promise<FolderReport> {
  const { databases, tables, ignored } = await source.look(
    AbortSignal.timeout(source.withinMs),
    firstTables(MOST_TRIED),
  )
  const problems = [...ignored]
  for (const table of tables.slice(0, MOST_TRIED)) {
    const problem = isBroken(table) ? table.problem : await problemOf(connection, table)
    if (problem !== null) problems.push(`${table.database}/${table.table}: ${source.mask(problem)}`)
  }
  return { databases: databases.length, tables: tables.length, problems }
}

async function problemOf(
  connection: DuckDBConnection,
  table: TableFiles | WrittenTable,
): Promise<string | null> {
  try {
    const prepared = await connection.prepare(readingOf(table))
    prepared.destroySync()
    return null
  } catch (error) {
    return firstLine(readReport(error).message)
  }
}
