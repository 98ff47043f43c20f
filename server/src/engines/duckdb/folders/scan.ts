import { foldedName } from '../../../kernel/same-name.ts'
import type { Dirent } from 'node:fs'
import { lstat, opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type BrokenTable,
  type FileFormat,
  type FolderContent,
  FolderUnreadable,
  formatOf,
  type FoundFile,
  isHidden,
  MOST_IGNORED,
  PARTITION,
  SCAN_LIMITS,
  type ScanLimits,
  type TableFiles,
  tableOf,
  UNREADABLE_NAME,
  whyNoName,
} from './layout.ts'

type Kind = 'folder' | 'file' | 'link' | 'other'

async function kindOf(path: string, entry: Dirent): Promise<Kind> {
  // Some file systems do not tell it with the name.
  const stats = entry.isDirectory() || entry.isFile() || entry.isSymbolicLink() ? entry : await lstat(path)
  if (stats.isSymbolicLink()) return 'link'
  if (stats.isDirectory()) return 'folder'
  return stats.isFile() ? 'file' : 'other'
}

/** One that was removed meanwhile is not there when it is read, which tells more than this could. */
async function stampOf(file: string): Promise<string> {
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  return `${file} ${found?.size ?? ''} ${found?.mtimeMs ?? ''}`
}

/** What lies in a folder, laid out as database/table(/partition=value). Links are never followed. */
class Scan {
  readonly ignored: string[] = []
  private files = 0

  constructor(
    private readonly root: string,
    private readonly limits: ScanLimits,
    private readonly stop: AbortSignal,
  ) {}

  async content(): Promise<FolderContent> {
    const databases: string[] = []
    const tables: (TableFiles | BrokenTable)[] = []
    for (const { name: database } of await this.folders(this.root, '')) {
      databases.push(database)
      const place = join(this.root, database)
      for (const { name: table } of await this.folders(place, database)) {
        if (tables.length === this.limits.tables)
          throw new FolderUnreadable(`it has more than ${this.limits.tables} tables`)
        tables.push(await this.table(join(place, table), database, table))
      }
    }
    return { databases, tables, ignored: this.ignored }
  }

  private async *entries(folder: string): AsyncGenerator<{ name: string; path: string; kind: Kind }> {
    for await (const entry of await opendir(folder)) {
      if (this.stop.aborted) throw new FolderUnreadable('it does not answer in time')
      if (isHidden(entry.name)) continue
      const path = join(folder, entry.name)
      yield { name: entry.name, path, kind: await kindOf(path, entry) }
    }
  }

  /** Of names that differ in letter case alone, the first. */
  private async folders(folder: string, shown: string): Promise<{ name: string }[]> {
    const found: string[] = []
    for await (const { name, kind } of this.entries(folder)) {
      const where = shown === '' ? name : `${shown}/${name}`
      if (kind === 'link') this.ignore(`${where} is a link, and links are not followed`)
      else if (kind === 'folder' && this.isName(name, where)) found.push(name)
      if (found.length > this.limits.tables)
        throw new FolderUnreadable(`${shown || 'it'} has more than ${this.limits.tables} folders`)
    }
    const seen = new Set<string>()
    return found.toSorted().flatMap((name) => {
      const key = foldedName(name)
      if (seen.has(key))
        this.ignore(`${shown ? `${shown}/` : ''}${name} differs from another only in letter case`)
      return seen.has(key) ? [] : (seen.add(key), [{ name }])
    })
  }

  private isName(name: string, where: string): boolean {
    const why = whyNoName(name, where)
    if (why !== null) this.ignore(why)
    return why === null
  }

  private async table(folder: string, database: string, table: string): Promise<TableFiles | BrokenTable> {
    const found: Omit<FoundFile, 'stamp'>[] = []
    await this.collect({ folder, shown: `${database}/${table}`, depth: 0 }, (path, format, depth) => {
      found.push({ path, format, depth })
    })
    const stamped: FoundFile[] = []
    for (const file of found) stamped.push({ ...file, stamp: await stampOf(file.path) })
    return tableOf({ database, table }, stamped)
  }

  private async collect(
    { folder, shown, depth }: { folder: string; shown: string; depth: number },
    add: (path: string, format: FileFormat, depth: number) => void,
  ): Promise<void> {
    for await (const { name, path, kind } of this.entries(folder)) {
      const where = `${shown}/${name}`
      if (kind === 'link') this.ignore(`${where} is a link, and links are not followed`)
      else if (kind === 'file') this.addFile({ name, path, where }, (format) => add(path, format, depth))
      else if (kind === 'folder') {
        if (!PARTITION.test(name) || UNREADABLE_NAME.test(name))
          this.ignore(`${where} is not a partition such as year=2026`)
        else if (depth === this.limits.partitions)
          throw new FolderUnreadable(`${shown} has more than ${this.limits.partitions} levels of partitions`)
        else await this.collect({ folder: path, shown: where, depth: depth + 1 }, add)
      }
    }
  }

  private addFile(
    { name, where }: { name: string; path: string; where: string },
    add: (format: FileFormat) => void,
  ): void {
    const format = formatOf(name)
    if (!format) return this.ignore(`${where} is not a Parquet, CSV or JSON file`)
    if (UNREADABLE_NAME.test(name))
      return this.ignore(`${JSON.stringify(where)} has a character that is not allowed in names`)
    if (++this.files > this.limits.files)
      throw new FolderUnreadable(`it has more than ${this.limits.files} files`)
    add(format)
  }

  private ignore(why: string): void {
    if (this.ignored.length < MOST_IGNORED) this.ignored.push(why)
  }
}

export interface FolderPlace {
  /** Opened by an operator. */
  readonly root: string
  /** Names of folders in it, from the outside in. */
  readonly below: readonly string[]
}

/** The folder itself, by its true path: one that lies in what was opened, with no link on the way. */
export async function trueFolder({ root, below }: FolderPlace): Promise<string> {
  try {
    const opened = await realpath(root)
    const wanted = join(opened, ...below)
    const isInside = below.every(
      (part) => part !== '' && part !== '.' && part !== '..' && !part.includes('/'),
    )
    if (!isInside || UNREADABLE_NAME.test(wanted)) throw new FolderUnreadable('its path leads out of it')
    if ((await realpath(wanted)) !== wanted)
      throw new FolderUnreadable('there is a link on the way to it, and links are not followed')
    if (!(await lstat(wanted)).isDirectory()) throw new FolderUnreadable('it is no folder')
    return wanted
  } catch (error) {
    throw readable(error)
  }
}

export async function scanFolder(
  folder: string,
  { stop, limits = SCAN_LIMITS }: { stop: AbortSignal; limits?: ScanLimits },
): Promise<FolderContent> {
  try {
    return await new Scan(folder, limits, stop).content()
  } catch (error) {
    throw readable(error)
  }
}

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  EACCES: 'the service may not read it',
  EPERM: 'the service may not read it',
  ENOTDIR: 'it is no folder',
  ELOOP: 'there is a link on the way to it, and links are not followed',
}

/** Without the paths of the machine. */
function readable(error: unknown): Error {
  if (error instanceof FolderUnreadable) return error
  const { code = '' } = error as NodeJS.ErrnoException
  return new FolderUnreadable(
    WORDS[code] ?? `it cannot be read (${code || 'for a reason that is not known'})`,
    {
      cause: error,
    },
  )
}
