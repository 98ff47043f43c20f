import type { FolderCatalog } from '../../engine/attachments.ts'
import type { FullName } from '../objects/names.ts'
import { type FolderContent, FolderUnreadable } from './layout.ts'
import { scanFolder, trueFolder } from './scan.ts'

/** Whether a statement may read a table of this name. */
export type IsNamed = (table: string) => boolean

/** Where the files of a catalog lie, and what they are called by. */
export interface FileSource {
  /** What lies there now; of a source with too many files to list, those of these tables. Throws a `FolderUnreadable`. */
  look(stop: AbortSignal, isNamed: IsNamed): Promise<FolderContent>
  /** Whether files of one of these tables were not listed by the last looks; missing: all always are. */
  lacks?(isNamed: IsNamed): boolean
  /** The table that a file belongs to, by the name under which DuckDB reads it. */
  tableOf(file: string): Pick<FullName, 'schema' | 'name'> | null
  /** Removes from a message what nobody may see: paths and addresses of the machine. */
  mask(message: string): string
  /** Further requests within this time are answered with what the last look found. */
  readonly freshMs: number
  /** How long a look may take. */
  readonly withinMs: number
  /** It is not used any more. */
  close(): void
}

export const WITHIN_MS = 10_000

const FRESH_MS = 250

/** A folder of this machine that an operator has opened. */
export function folderSource({ root, below, name: catalog }: FolderCatalog): FileSource {
  /** Its true path; null while that is not known. */
  let base: string | null = null
  return {
    async look(stop) {
      if (root === null)
        throw new FolderUnreadable('the operator of the service has not allowed it for this account')
      base = await trueFolder({ root, below })
      return scanFolder(base, { stop })
    },
    tableOf(file) {
      if (base === null || !file.startsWith(`${base}/`)) return null
      const [schema, name, ...rest] = file.slice(base.length + 1).split('/')
      return schema && name && rest.length > 0 ? { schema, name } : null
    },
    mask: (message) => (base === null ? message : message.replaceAll(base, catalog)),
    freshMs: FRESH_MS,
    withinMs: WITHIN_MS,
    close: () => undefined,
  }
}
