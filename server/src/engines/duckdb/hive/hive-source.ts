import { isIceberg, OutsideRefused, type OutsideTable, type TablePage } from '../../../kernel/outside.ts'
import type { HiveCatalog } from '../../engine/attachments.ts'
import type { FileSource, IsNamed } from '../folders/file-source.ts'
import {
  type BrokenTable,
  type FolderContent,
  FolderUnreadable,
  type WrittenTable,
} from '../folders/layout.ts'
import { GoneFiles } from '../iceberg/gone-files.ts'
import type { IcebergParts } from '../iceberg/iceberg-source.ts'
import { TableRefused } from '../iceberg/manifests.ts'
import { ShownNames } from '../iceberg/shown-names.ts'
import { createTableReading, type Known } from '../iceberg/table-reading.ts'
import { duckdbType } from '../iceberg/types.ts'
import { maskOf, mountedSource } from '../outside/mounted-source.ts'
import type { OutsideFile } from '../outside/object-layout.ts'
import { createHiveListing } from './hive-files.ts'
import { ListedTables } from './listed-tables.ts'
import { hiveReading, unlistedOf } from './reading.ts'
import { TypeRefused, writtenType } from './types.ts'

const WITHIN_MS = 30_000
const MOST_PAGES = 1_000
const TABLES_AT_ONCE = 4
/** Of all tables whose files are known. */
const MOST_FILES = 50_000

const brokenOf = ({ database, name }: OutsideTable, problem: string): BrokenTable => ({
  database,
  table: name,
  problem,
})

function columnsOf({ content }: OutsideTable): { name: string; written: string }[] {
  if (typeof content === 'string') return []
  if (isIceberg(content))
    return content.columns.map(({ name, type }) => ({ name, written: duckdbType(type, name) }))
  const { columns, partitionColumns } = hiveReading(content)
  return [...columns, ...partitionColumns].map(({ name, type }) => ({ name, written: writtenType(type) }))
}

function unlisted(catalog: string, table: OutsideTable): WrittenTable {
  const { database, name } = table
  const select = unlistedOf(columnsOf(table), { catalog, database, name })
  return { database, table: name, select, stamp: select }
}

/** Tables in Hive’s form, of which the service is asked, and whose files it lists and reads: those that a statement names. */
export function hiveSource(
  { id, name: catalog }: HiveCatalog,
  { outside, loopback, connect, mostFiles = MOST_FILES }: IcebergParts,
): FileSource {
  const mount = loopback.mount(id)
  const listed = new ListedTables(mostFiles)
  let now = new Map<string, OutsideFile>()
  const gone = new GoneFiles()

  const ofIceberg = createTableReading({ id, outside, mount, mask: maskOf({ mount, catalog }), connect })
  const ofFiles = createHiveListing({ id, outside, base: mount.base })

  async function list(table: OutsideTable, stop: AbortSignal): Promise<Omit<Known, 'stamp'>> {
    const { content } = table
    if (typeof content === 'string') return { table: brokenOf(table, content), files: [] }
    return isIceberg(content) ? ofIceberg(table, content, stop) : ofFiles(table, content, stop)
  }

  async function shownOf(
    table: OutsideTable,
    { isNamed, stop }: { isNamed: IsNamed; stop: AbortSignal },
  ): Promise<WrittenTable | BrokenTable> {
    if (typeof table.content === 'string') return brokenOf(table, table.content)
    try {
      const known = listed.known(table)
      if (!isNamed(table.name)) return known?.table ?? unlisted(catalog, table)
      if (known && listed.isFresh(known)) return known.table
      const found = await list(table, stop)
      listed.keep(table, found)
      return found.table
    } catch (error) {
      if (error instanceof TypeRefused || error instanceof TableRefused) return brokenOf(table, error.message)
      if (stop.aborted) throw error
      const why = error instanceof OutsideRefused ? error.message : 'their metadata is invalid'
      // The next look tries it again, and the other tables stay readable.
      return brokenOf(table, `what its files are cannot be read: ${why}`)
    }
  }

  function showFiles(): void {
    const files = listed.files()
    const isOther = files.size !== now.size || [...files.keys()].some((url) => !now.has(url))
    if (!isOther) return
    mount.show(new Map([...gone.after(now, files), ...files]))
    now = files
  }

  async function tablesNow(names: ShownNames, stop: AbortSignal): Promise<OutsideTable[]> {
    const tables: OutsideTable[] = []
    let after: string | null = null
    for (let page = 1; page <= MOST_PAGES; page++) {
      const { databases, tables: some, ignored, next }: TablePage = await outside.tables(id, after, stop)
      if (page === 1) names.begin(databases, ignored)
      tables.push(...some.filter((table) => names.take(table)))
      if (next === null) return tables
      after = next
    }
    throw new FolderUnreadable(`it has more than ${MOST_PAGES} pages of tables`)
  }

  async function look(stop: AbortSignal, isNamed: IsNamed): Promise<FolderContent> {
    const names = new ShownNames()
    const tables = await tablesNow(names, stop)
    listed.begin(tables)
    const shown: (WrittenTable | BrokenTable)[] = []
    for (let begin = 0; begin < tables.length; begin += TABLES_AT_ONCE) {
      const some = tables.slice(begin, begin + TABLES_AT_ONCE)
      shown.push(...(await Promise.all(some.map((table) => shownOf(table, { isNamed, stop })))))
      listed.requireFewFiles(isNamed)
    }
    showFiles()
    return { databases: names.databases, tables: shown, ignored: names.ignored }
  }

  const lacks = (isNamed: IsNamed) => listed.lacks(isNamed)
  return mountedSource({ mount, catalog, withinMs: WITHIN_MS, look, lacks })
}
