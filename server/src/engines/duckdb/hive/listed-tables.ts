import { isIceberg, keyInTable, type OutsideTable } from '../../../kernel/outside.ts'
import type { IsNamed } from '../folders/file-source.ts'
import { FolderUnreadable } from '../folders/layout.ts'
import type { Known } from '../iceberg/table-reading.ts'
import type { OutsideFile } from '../outside/object-layout.ts'

/** Files that were listed within this time are not listed again. */
const FRESH_MS = 2_000

interface Listed extends Known {
  /** By the clock of `performance`. */
  readonly goodUntil: number
}

const keyOf = (table: OutsideTable): string => keyInTable(table, '')
const stampOf = ({ content }: OutsideTable): string => JSON.stringify(content)

/** Tables that statements have named, with their files. */
export class ListedTables {
  /** Those first that were listed longest ago. */
  private readonly listed = new Map<string, Listed>()
  /** Those that can be listed, by their keys. */
  private there = new Map<string, string>()

  constructor(private readonly mostFiles: number) {}

  /** From now on, these are there and no others. */
  begin(tables: readonly OutsideTable[]): void {
    const readable = tables.filter(({ content }) => typeof content !== 'string')
    this.there = new Map(readable.map((table) => [keyOf(table), table.name]))
    for (const key of this.listed.keys()) if (!this.there.has(key)) this.listed.delete(key)
  }

  /** As it was listed, however long ago, if it is still the same table. */
  known(table: OutsideTable): Listed | null {
    const known = this.listed.get(keyOf(table))
    return known?.stamp === stampOf(table) ? known : null
  }

  isFresh = ({ goodUntil }: Listed): boolean => performance.now() < goodUntil

  keep(table: OutsideTable, found: Omit<Known, 'stamp'>): void {
    // A snapshot of Iceberg never changes; files in a folder do.
    const goodUntil = isIceberg(table.content) ? Number.POSITIVE_INFINITY : performance.now() + FRESH_MS
    this.listed.delete(keyOf(table))
    this.listed.set(keyOf(table), { stamp: stampOf(table), ...found, goodUntil })
  }

  /** Whether files of one of these would have to be listed. */
  lacks(isNamed: IsNamed): boolean {
    return [...this.there].some(([key, table]) => {
      if (!isNamed(table)) return false
      const known = this.listed.get(key)
      return !known || !this.isFresh(known)
    })
  }

  /** Lets go of tables that were listed long ago when all together have too many files. */
  requireFewFiles(isNamed: IsNamed): void {
    let count = [...this.listed.values()].reduce((sum, { files }) => sum + files.length, 0)
    for (const [key, { files, table }] of this.listed) {
      if (count <= this.mostFiles) return
      if (isNamed(table.table)) continue
      this.listed.delete(key)
      count -= files.length
    }
    if (count > this.mostFiles)
      throw new FolderUnreadable(`the tables that the statement names have more than ${this.mostFiles} files`)
  }

  files(): Map<string, OutsideFile> {
    return new Map([...this.listed.values()].flatMap((table) => table.files))
  }
}
