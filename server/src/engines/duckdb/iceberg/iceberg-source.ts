import type { DuckDBConnection } from '@duckdb/node-api'
import {
  isIceberg,
  keyInTable,
  type Outside,
  OutsideRefused,
  type OutsideTable,
  type TablePage,
} from '../../../kernel/outside.ts'
import type { IcebergCatalog } from '../../engine/attachments.ts'
import type { FileSource } from '../folders/file-source.ts'
import { type FolderContent, FolderUnreadable } from '../folders/layout.ts'
import type { Loopback } from '../outside/loopback.ts'
import { maskOf, mountedSource } from '../outside/mounted-source.ts'
import type { OutsideFile } from '../outside/object-layout.ts'
import { TableRefused } from './manifests.ts'
import { GoneFiles } from './gone-files.ts'
import { ShownNames } from './shown-names.ts'
import type { Known } from './table-reading.ts'
import { createTableReading } from './table-reading.ts'

/** The first look reads the manifests of all tables. It keeps what it has read, even if it takes too long. */
const WITHIN_MS = 30_000
const MOST_PAGES = 1_000
const TABLES_AT_ONCE = 4
const MOST_FILES = 50_000

const brokenOf = ({ database, name }: OutsideTable, problem: string): Omit<Known, 'stamp'> => ({
  table: { database, table: name, problem },
  files: [],
})

export interface IcebergParts {
  readonly outside: Outside
  readonly loopback: Loopback
  /** For looks into files. */
  readonly connect: () => Promise<DuckDBConnection>
  /** Of all tables together. */
  readonly mostFiles?: number
}

/** Tables of a server that speaks Iceberg REST, which the service asks and whose files it reads. */
export function icebergSource(
  { id, name: catalog }: IcebergCatalog,
  { outside, loopback, connect, mostFiles = MOST_FILES }: IcebergParts,
): FileSource {
  const mount = loopback.mount(id)
  /** A snapshot of a table and its manifests never change, so they are read once. */
  let known = new Map<string, Known>()
  let now = new Map<string, OutsideFile>()
  const gone = new GoneFiles()

  const describe = createTableReading({ id, outside, mount, mask: maskOf({ mount, catalog }), connect })

  async function look(table: OutsideTable, stop: AbortSignal): Promise<Known> {
    const stamp = JSON.stringify(table.content)
    const before = known.get(keyInTable(table, ''))
    if (before?.stamp === stamp) return before
    if (typeof table.content === 'string') return { stamp, ...brokenOf(table, table.content) }
    if (!isIceberg(table.content)) return { stamp, ...brokenOf(table, 'it is not an Iceberg table') }
    try {
      const found = { stamp, ...(await describe(table, table.content, stop)) }
      known.set(keyInTable(table, ''), found)
      return found
    } catch (error) {
      if (error instanceof TableRefused) {
        const found = { stamp, ...brokenOf(table, error.message) }
        known.set(keyInTable(table, ''), found)
        return found
      }
      if (stop.aborted) throw error
      const why = error instanceof OutsideRefused ? error.message : 'their metadata is invalid'
      // The next look tries it again, and the other tables stay readable.
      return { stamp: '', ...brokenOf(table, `what its files are cannot be read: ${why}`) }
    }
  }

  async function content(stop: AbortSignal): Promise<FolderContent> {
    const names = new ShownNames()
    const tables: Known[] = []
    const files = new Map<string, OutsideFile>()
    const add = (some: readonly Known[]) => {
      tables.push(...some)
      for (const [url, file] of some.flatMap((table) => table.files)) files.set(url, file)
      if (files.size > mostFiles) throw new FolderUnreadable(`its tables have more than ${mostFiles} files`)
    }
    let after: string | null = null
    for (let page = 1; ; page++) {
      const { databases, tables: some, ignored, next }: TablePage = await outside.tables(id, after, stop)
      if (page === 1) names.begin(databases, ignored)
      const shown = some.filter((table) => names.take(table))
      for (let begin = 0; begin < shown.length; begin += TABLES_AT_ONCE)
        add(await Promise.all(shown.slice(begin, begin + TABLES_AT_ONCE).map((table) => look(table, stop))))
      if (next === null) break
      if (page === MOST_PAGES) throw new FolderUnreadable(`it has more than ${MOST_PAGES} pages of tables`)
      after = next
    }
    const isOther = files.size !== now.size || [...files.keys()].some((url) => !now.has(url))
    if (isOther) mount.show(new Map([...gone.after(now, files), ...files]))
    now = isOther ? files : now
    const left = new Set(
      tables.map(({ table }) => keyInTable({ database: table.database, name: table.table }, '')),
    )
    known = new Map([...known].filter(([key]) => left.has(key)))
    return { databases: names.databases, tables: tables.map(({ table }) => table), ignored: names.ignored }
  }

  return mountedSource({ mount, catalog, withinMs: WITHIN_MS, look: content })
}
