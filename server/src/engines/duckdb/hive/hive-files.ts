import { createHash } from 'node:crypto'
import type { HiveTable } from '../../../kernel/hive-table.ts'
import type { FilePage, Outside, OutsideTable, PartitionFile } from '../../../kernel/outside.ts'
import type { WrittenTable } from '../folders/layout.ts'
import { TableRefused } from '../iceberg/manifests.ts'
import type { Known } from '../iceberg/table-reading.ts'
import type { OutsideFile } from '../outside/object-layout.ts'
import { folderOf, hiveReading, readingOf } from './reading.ts'

const MOST_FILES = 10_000
const MOST_PAGES = 2_000

const plain = (text: string): string => text.replace(/[^\w.-]/g, '_')

interface HiveParts {
  readonly id: string
  readonly outside: Pick<Outside, 'files'>
  /** Of the names of all files of the catalog. */
  readonly base: string
}

/** Lists the files of a table, and says by which statement DuckDB reads them. */
export function createHiveListing({ id, outside, base }: HiveParts) {
  async function listed({ database, name }: OutsideTable, stop: AbortSignal): Promise<PartitionFile[]> {
    const files: PartitionFile[] = []
    let after: string | null = null
    for (let page = 1; page <= MOST_PAGES; page++) {
      const { files: some, next }: FilePage = await outside.files(id, { database, name, after }, stop)
      files.push(...some)
      if (files.length > MOST_FILES) throw new TableRefused(`it has more than ${MOST_FILES} files`)
      if (next === null) return files
      after = next
    }
    throw new TableRefused(`its files are on more than ${MOST_PAGES} pages`)
  }

  /** Throws a `TypeRefused` or a `TableRefused`. */
  return async function list(
    table: OutsideTable,
    content: HiveTable,
    stop: AbortSignal,
  ): Promise<Omit<Known, 'stamp' | 'table'> & { table: WrittenTable }> {
    const reading = hiveReading(content)
    const home = [base, plain(table.database), plain(table.name)].join('/')
    const of = { schema: table.database, name: table.name }
    const found = (await listed(table, stop)).map(({ values, ...file }): [string, OutsideFile] => {
      const digest = createHash('sha256').update(`${file.key} ${file.etag}`).digest('hex').slice(0, 16)
      const name = `${digest}-${plain(file.key.split('/').at(-1) ?? '')}`
      return [[home, ...values.map(folderOf), name].join('/'), { ...file, ...of }]
    })
    const none = `${home}/none.parquet`
    const files = found.map(([url]) => url).toSorted()
    const select = readingOf(reading, { files, partsBefore: home.split('/').length, none })
    const stamp = createHash('sha256').update(select).digest('hex')
    const nothing: OutsideFile = { key: '', size: 0, etag: '', changedAt: new Date(0), ...of }
    return {
      table: { database: table.database, table: table.name, select, stamp },
      files: [[none, nothing], ...found],
    }
  }
}
