import { readdir, readFile, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import type { AccountFolders } from './compute/local/account-folders.ts'
import type { AccountLake, Lake, LakeTable, NotedWrite } from './engines/engine/lake.ts'
import { lakeSchemaOf } from './store/cluster-catalog.ts'
import { createLakeNames, lakeSchemas } from './store/lake-names.ts'
import { createLakeWrites } from './store/lake-writes.ts'
import type { Store } from './store/store.ts'

/** The catalog of an account's own Iceberg tables. */
export const LAKE = 'lake'
/** Where the files of tables are, as their names in the database begin. */
const LOCATION = 'local:///'
/** It is parsed on the thread that serves everyone. A table of a thousand columns or snapshots has about a quarter of it. */
const LARGEST_METADATA_BYTES = 2 * 1024 ** 2

/** Iceberg compresses what describes a view. */
const COMPRESSED = /\.gz\.metadata\.json$|\.gz$/
const unzipped = promisify(gunzip)

export interface Lakes extends Lake {
  /** The names of an account's tables can be listed from now on. */
  opened(accountId: string): void
  removed(accountId: string): void
  /** The folder with the files of an account's tables. */
  folderOf(accountId: string): string
  /** Of those files. */
  storedBytes(accountId: string): Promise<number>
}

interface LakeParts {
  readonly store: Pick<Store, 'pool'>
  /** The kind of engine that its clusters have. */
  readonly engine: string
  readonly folders: Pick<AccountFolders, 'directoryOf'>
  /** See `AccountLake.requireOver`. */
  readonly requireOver: (accountId: string, write: NotedWrite) => Promise<void>
}

/** Iceberg tables of accounts, as far as they can be seen without a cluster. */
export async function openLakes({ store, engine, folders, requireOver }: LakeParts): Promise<Lakes> {
  const folderOf = (accountId: string): string =>
    join(folders.directoryOf(accountId), 'engines', engine, LAKE)
  const schemas = await lakeSchemas(store.pool)
  return {
    catalog: LAKE,
    has: (accountId) => schemas.has(lakeSchemaOf(accountId)),
    of: (accountId): AccountLake => {
      const names = createLakeNames(store.pool, accountId, LAKE)
      const writes = createLakeWrites(store.pool, accountId, LAKE)
      return {
        ...names,
        ...writes,
        async forget(before) {
          await names.forget(before)
          await writes.forgetWrites(before)
        },
        requireOver: (write) => requireOver(accountId, write),
        metadata: (table) => metadataIn(folderOf(accountId), table),
      }
    },
    opened: (accountId) => void schemas.add(lakeSchemaOf(accountId)),
    folderOf,
    storedBytes: (accountId) => bytesBelow(folderOf(accountId)),
    removed: (accountId) => void schemas.delete(lakeSchemaOf(accountId)),
  }
}

/** What clusters move, remove and write while it is read; anything else that fails is trouble of this machine. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError ||
  (error instanceof Error &&
    'code' in error &&
    /^(ENOENT$|Z_|ERR_BUFFER_TOO_LARGE$)/.test(String(error.code)))

/** Null where there is no such file, or one that is too large or not of its kind. */
async function metadataIn(folder: string, { metadata }: LakeTable): Promise<unknown> {
  if (!metadata.startsWith(LOCATION)) return null
  const below = normalize(metadata.slice(LOCATION.length))
  if (isAbsolute(below) || below === '..' || below.startsWith(`..${sep}`)) return null
  try {
    const file = join(folder, below)
    if ((await stat(file)).size > LARGEST_METADATA_BYTES) return null
    const bytes = await readFile(file)
    const isPacked = COMPRESSED.test(below)
    const plain = isPacked ? await unzipped(bytes, { maxOutputLength: LARGEST_METADATA_BYTES }) : bytes
    return JSON.parse(plain.toString('utf8')) as unknown
  } catch (error) {
    if (isUnreadable(error)) return null
    throw error
  }
}

async function bytesBelow(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  let bytes = 0
  for (const entry of entries) {
    if (!entry.isFile()) continue
    // A file that was removed since the listing has no bytes.
    bytes += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0
  }
  return bytes
}
