import { foldedName } from '../../../kernel/same-name.ts'
import type { ListedObject } from '../../../kernel/outside.ts'
import {
  type FolderContent,
  FolderUnreadable,
  formatOf,
  type FoundFile,
  isHidden,
  MOST_IGNORED,
  PARTITION,
  type ScanLimits,
  tableOf,
  UNREADABLE_NAME,
  whyNoName,
} from '../folders/layout.ts'

/** A file of a table, by the name under which DuckDB asks for it. */
export interface OutsideFile extends ListedObject {
  readonly schema: string
  readonly name: string
}

export interface OutsideContent extends FolderContent {
  readonly files: ReadonlyMap<string, OutsideFile>
}

/**
 * Signs of percent stay as they are, and what else an address cannot hold becomes one: so a partition reads the same as in
 * a folder, where tools write such values with signs of percent too.
 */
const pathPart = (part: string): string =>
  encodeURIComponent(part).replaceAll('%25', '%').replaceAll('%3D', '=')

interface Found {
  readonly database: string
  readonly table: string
  readonly files: FoundFile[]
}

/** What a list of names makes, laid out as database/table(/partition=value), as it is of a folder. */
export class ObjectLayout {
  private readonly ignored: string[] = []
  private readonly databases = new Map<string, string>()
  private readonly tables = new Map<string, Found>()
  private readonly files = new Map<string, OutsideFile>()

  constructor(
    private readonly base: string,
    private readonly limits: ScanLimits,
  ) {}

  add(object: ListedObject): void {
    const parts = object.key.split('/')
    if (parts.some(isHidden)) return
    if (parts.some((part) => part === '')) return this.ignore(`${object.key} has a part without a name`)
    const [database = '', table = '', ...rest] = parts
    const file = rest.at(-1)
    // What lies higher up is of no table, as in a folder.
    if (file === undefined || !this.isPlace(database, table)) return
    const partitions = rest.slice(0, -1)
    const format = formatOf(file)
    if (!format) return this.ignore(`${object.key} is not a Parquet, CSV or JSON file`)
    if (rest.some((part) => UNREADABLE_NAME.test(part)))
      return this.ignore(`${JSON.stringify(object.key)} has a character that is not allowed in names`)
    if (!partitions.every((part) => PARTITION.test(part)))
      return this.ignore(`${object.key} lies in no partition such as year=2026`)
    if (partitions.length > this.limits.partitions)
      throw new FolderUnreadable(
        `${database}/${table} has more than ${this.limits.partitions} levels of partitions`,
      )
    this.addFile({ database, table, format, depth: partitions.length }, object)
  }

  content(): OutsideContent {
    return {
      databases: [...this.databases.values()].toSorted(),
      tables: [...this.tables.values()].map(({ files, ...place }) => tableOf(place, files)),
      ignored: this.ignored,
      files: this.files,
    }
  }

  /** Of names that differ in letter case alone, the first. */
  private isPlace(database: string, table: string): boolean {
    const why = whyNoName(database, database) ?? whyNoName(table, `${database}/${table}`)
    if (why !== null) {
      this.ignore(why)
      return false
    }
    const known = this.databases.get(foldedName(database))
    if (known !== undefined && known !== database) {
      this.ignore(`${database} differs from another only in letter case`)
      return false
    }
    this.databases.set(foldedName(database), database)
    const key = foldedName(`${database}/${table}`)
    const other = this.tables.get(key)
    if (other && other.table !== table) {
      this.ignore(`${database}/${table} differs from another only in letter case`)
      return false
    }
    if (!other) this.tables.set(key, { database, table, files: [] })
    if (this.tables.size > this.limits.tables)
      throw new FolderUnreadable(`it has more than ${this.limits.tables} tables`)
    return true
  }

  private addFile(
    {
      database,
      table,
      format,
      depth,
    }: Pick<Found, 'database' | 'table'> & Pick<FoundFile, 'format' | 'depth'>,
    object: ListedObject,
  ): void {
    const path = `${this.base}/${object.key.split('/').map(pathPart).join('/')}`
    if (this.files.has(path))
      return this.ignore(`${object.key} differs from another only in how it is written`)
    if (this.files.size === this.limits.files)
      throw new FolderUnreadable(`it has more than ${this.limits.files} files`)
    this.files.set(path, { ...object, schema: database, name: table })
    const stamp = `${path} ${object.size} ${object.etag} ${object.changedAt.getTime()}`
    this.tables.get(foldedName(`${database}/${table}`))?.files.push({ path, format, depth, stamp })
  }

  private ignore(why: string): void {
    if (this.ignored.length < MOST_IGNORED) this.ignored.push(why)
  }
}
