import { foldedName } from '../../../kernel/same-name.ts'
import { createHash } from 'node:crypto'
import type { DuckDBConnection } from '@duckdb/node-api'
import type { IcebergTable } from '../../../kernel/iceberg.ts'
import {
  keyInTable,
  type Outside,
  OutsideRefused,
  type OutsideTable,
  type ReadObject,
  type TablePage,
} from '../../../kernel/outside.ts'
import type { IcebergCatalog } from '../../engine/attachments.ts'
import { readReport } from '../errors.ts'
import type { FileSource } from '../folders/file-source.ts'
import {
  type BrokenTable,
  type FolderContent,
  FolderUnreadable,
  MOST_IGNORED,
  type WrittenTable,
  whyNoName,
} from '../folders/layout.ts'
import type { Loopback } from '../outside/loopback.ts'
import { maskOf, mountedSource } from '../outside/mounted-source.ts'
import type { OutsideFile } from '../outside/object-layout.ts'
import { requireNames } from './column-names.ts'
import { requireIds } from './file-ids.ts'
import { filesOf, type TableFile, TableRefused } from './manifests.ts'
import { readingOf } from './reading.ts'

/** A first look reads the manifests of all tables. What it has read it has read, also when it comes too late. */
const WITHIN_MS = 30_000
const MOST_PAGES = 1_000
const TABLES_AT_ONCE = 4
/** Of the manifests of a table, each. */
const LONGEST_MANIFEST = 64 * 1024 * 1024
const MOST_FILES = 50_000
/** A statement that began with files of a snapshot before goes on with them for so long, and with so many. */
const GONE_MS = 15 * 60_000
const MOST_GONE = 50_000

interface Known {
  readonly stamp: string
  readonly table: WrittenTable | BrokenTable
  readonly files: readonly (readonly [url: string, file: OutsideFile])[]
}

const cut = (cause?: unknown): OutsideRefused =>
  new OutsideRefused('unreachable', 'it has stopped in the middle', { cause })

/** Whole: a file of Avro that ends where a part of it ends would be taken for all of it. */
async function bytesOf({ body, length: announced }: ReadObject): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      length += part.length
      if (length > LONGEST_MANIFEST) throw new TableRefused('a manifest of it is far too long')
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof TableRefused || error instanceof OutsideRefused ? error : cut(error)
  }
  if (length !== announced) throw cut()
  return Buffer.concat(parts)
}

const plain = (text: string): string => text.replace(/[^\w.-]/g, '_')

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
  /** What does not change is read once: a snapshot of a table and its manifests. */
  let known = new Map<string, Known>()
  let now = new Map<string, OutsideFile>()
  const gone = new GoneFiles()

  const mask = maskOf({ mount, catalog })

  const read = async (table: OutsideTable, path: string, stop: AbortSignal): Promise<Buffer> =>
    bytesOf(await outside.read(id, { key: keyInTable(table, path), etag: '', range: null }, stop))

  function named(
    table: OutsideTable,
    { path, location, size, sequence }: Pick<TableFile, 'path' | 'location' | 'size' | 'sequence'>,
  ) {
    const key = keyInTable(table, path)
    const digest = createHash('sha256').update(key).digest('hex').slice(0, 16)
    const file = `${digest}-${plain(path.split('/').at(-1) ?? '')}`
    const url = [mount.base, plain(table.database), plain(table.name), file].join('/')
    const found = { key, size, etag: '', changedAt: new Date(0), schema: table.database, name: table.name }
    return { url, location, sequence, found }
  }

  async function describe(
    table: OutsideTable,
    content: IcebergTable,
    stop: AbortSignal,
  ): Promise<Omit<Known, 'stamp'>> {
    requireNames(content.columns)
    const found = await filesOf({
      table: content,
      async read(path, length) {
        const bytes = await read(table, path, stop)
        if (length !== null && bytes.length !== length)
          throw new TableRefused('a manifest of it is not as long as the list of them says')
        return bytes
      },
    })
    const data = found.data.map((file) => named(table, file))
    const deletes = found.deletes.map((file) => named(table, file))
    const none = named(table, { path: 'none', location: '', size: 0, sequence: 0n })
    const files = [none, ...data, ...deletes].map((file): [string, OutsideFile] => [file.url, file.found])
    const uncertain = found.data.flatMap((file, at) =>
      file.isTold ? [] : [{ url: data[at]?.url ?? '', identities: file.identities }],
    )
    if (uncertain.length > 0) {
      // They are looked into before the table is shown.
      mount.show(new Map([...mount.files, ...files]))
      await requireIds(connect, uncertain).catch((error: unknown) => {
        if (error instanceof TableRefused) throw error
        throw new OutsideRefused('unreachable', mask(readReport(error).message.split('\n')[0] ?? ''), {
          cause: error,
        })
      })
    }
    const select = readingOf({ columns: content.columns, data, deletes, none })
    const stamp = createHash('sha256').update(select).digest('hex')
    return { table: { database: table.database, table: table.name, select, stamp }, files }
  }

  async function look(table: OutsideTable, stop: AbortSignal): Promise<Known> {
    const stamp = JSON.stringify(table.content)
    const before = known.get(keyInTable(table, ''))
    if (before?.stamp === stamp) return before
    if (typeof table.content === 'string') return { stamp, ...brokenOf(table, table.content) }
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
      // It is tried again with the next look, and the other tables go on without it.
      return { stamp: '', ...brokenOf(table, `what its files are cannot be read: ${why}`) }
    }
  }

  async function content(stop: AbortSignal): Promise<FolderContent> {
    const names = new Names()
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

/** Files that the tables had until some minutes ago. */
class GoneFiles {
  private readonly files = new Map<string, { readonly file: OutsideFile; readonly until: number }>()

  /** Of those that were there before, and of others before them: what is no longer there and still read. */
  after(before: ReadonlyMap<string, OutsideFile>, files: ReadonlyMap<string, OutsideFile>) {
    const now = performance.now()
    for (const [url, file] of before) this.files.set(url, { file, until: now + GONE_MS })
    for (const [url, { until }] of this.files) if (files.has(url) || until < now) this.files.delete(url)
    // The first ones are those that went first.
    for (const url of this.files.keys()) if (this.files.size > MOST_GONE) this.files.delete(url)
    return [...this.files].map(([url, { file }]) => [url, file] as const)
  }
}

/** Of names that differ in letter case alone, the first; and none that a name here cannot be. */
class Names {
  readonly databases: string[] = []
  readonly ignored: string[] = []
  private readonly seen = new Map<string, string>()

  begin(databases: readonly string[], ignored: readonly string[]): void {
    for (const why of ignored) this.ignore(why)
    for (const database of databases) if (this.isNew(database, database)) this.databases.push(database)
  }

  take({ database, name }: Pick<OutsideTable, 'database' | 'name'>): boolean {
    if (this.seen.get(foldedName(database)) !== database) return false
    return this.isNew(name, `${database}/${name}`, `${database}\n${name}`)
  }

  private isNew(name: string, where: string, whole = where): boolean {
    const key = foldedName(whole)
    const why = whyNoName(name, where)
    const isTaken = this.seen.has(key)
    if (why !== null) this.ignore(why)
    else if (isTaken) this.ignore(`${where} differs from another only in letter case`)
    else this.seen.set(key, whole)
    return why === null && !isTaken
  }

  private ignore(why: string): void {
    if (this.ignored.length < MOST_IGNORED) this.ignored.push(why)
  }
}
