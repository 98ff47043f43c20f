import { isAbsolute, normalize } from 'node:path'
import { z } from 'zod'

/** A folder of this machine that catalogs may show. */
export interface CatalogFolder {
  /** The name that users choose it by: they see no path. */
  readonly name: string
  readonly path: string
  /** To whom it is open; null: to every account. */
  readonly accountId: string | null
}

const ENTRY = /^([A-Za-z][\w-]*)(?:@([\w-]+))?=(.+)$/
/** Patterns to engines; a folder that has one of these in its path could stand for others. */
const PATTERN = /[*?[\]{}"\\]/

function readEntry(text: string): CatalogFolder | null {
  const [, name = '', accountId = null, path = ''] = ENTRY.exec(text.trim()) ?? []
  const isFolder = isAbsolute(path) && normalize(path) === path && path !== '/' && !PATTERN.test(path)
  return isFolder ? { name, path: path.replace(/\/$/, ''), accountId } : null
}

/** Of an account a name means one folder. */
function isDoubled(folders: readonly CatalogFolder[]): boolean {
  return folders.some((one, at) =>
    folders.some(
      (other, otherAt) =>
        at < otherAt &&
        one.name === other.name &&
        (one.accountId === null || other.accountId === null || one.accountId === other.accountId),
    ),
  )
}

export const CatalogFolders = z.string().transform((text, context): readonly CatalogFolder[] => {
  const folders = text.split(',').map(readEntry)
  const all = folders.filter((folder) => folder !== null)
  if (all.length < folders.length || isDoubled(all)) {
    context.addIssue({ code: 'custom', message: 'not a list of folders' })
    return z.NEVER
  }
  return all
})

/** Those that are open to an account. */
export const foldersFor = (folders: readonly CatalogFolder[], accountId: string): readonly CatalogFolder[] =>
  folders.filter((folder) => folder.accountId === null || folder.accountId === accountId)
