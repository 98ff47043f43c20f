import { constants } from 'node:fs'
import { type FileHandle, lstat, open, opendir, realpath } from 'node:fs/promises'
import { join } from 'node:path'
import type { FilePlace } from '../../schema/catalogs/file-places.ts'
import {
  fileChanged,
  fileGone,
  nameMatcher,
  reachesBelow,
  type SourceFile,
  SourceTrouble,
} from './source-file.ts'

type FolderPlace = Extract<FilePlace, { kind: 'folder' }>

const PAGE = 1_000
const MOST_LEVELS = 16
const LONGEST_PATH = 1_024
const CHUNK_BYTES = 256 * 1024

const WORDS: Readonly<Record<string, string>> = {
  ENOENT: 'it is not there',
  ENOTDIR: 'it is no folder',
  EACCES: 'the service may not read it',
  EPERM: 'the service may not read it',
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? ''

/** Without the paths of the machine. */
function folderTrouble(place: FolderPlace, error: unknown): SourceTrouble {
  if (error instanceof SourceTrouble) return error
  const why = WORDS[codeOf(error)] ?? 'it does not answer'
  return new SourceTrouble('unreachable', `The folder ${place.prefix} cannot be read: ${why}.`, {
    cause: error,
  })
}

/** The true folder, inside of what the operator has opened, with no link on the way. */
async function trueFolder(place: FolderPlace): Promise<string> {
  const wanted = join(await realpath(place.root), place.below)
  if ((await realpath(wanted)) === wanted) return wanted
  throw new SourceTrouble(
    'refused',
    `The folder ${place.prefix} cannot be read: there is a link on the way to it, and links are not followed.`,
  )
}

const versionOf = ({ size, mtimeNs }: { size: bigint; mtimeNs: bigint }): string => `${size}.${mtimeNs}`

async function fileAt(place: FolderPlace, folder: string, key: string): Promise<SourceFile | null> {
  const found = await lstat(join(folder, key), { bigint: true }).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return null
    throw error
  })
  const path = `${place.prefix}${key}`
  // Links and what is no file at all are not followed.
  if (!found?.isFile() || Buffer.byteLength(path) > LONGEST_PATH) return null
  return {
    path,
    key,
    sizeBytes: Number(found.size),
    version: versionOf(found),
    changedAt: new Date(Number(found.mtimeMs)),
  }
}

/** Files of a folder, by their names below it. */
async function* keysIn(
  folder: string,
  { inside, levels, stop }: { inside: string; levels: number; stop: AbortSignal },
): AsyncGenerator<string> {
  const folders: string[] = []
  for await (const entry of await opendir(join(folder, inside))) {
    stop.throwIfAborted()
    const key = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) folders.push(key)
    else yield key
  }
  if (levels === 0) return
  for (const key of folders) yield* keysIn(folder, { inside: key, levels: levels - 1, stop })
}

/** What lies in the folder, so many at a time that nobody waits for long. */
export async function* folderPages(
  place: FolderPlace,
  stop: AbortSignal,
): AsyncGenerator<readonly SourceFile[]> {
  const isMeant = nameMatcher(place.pattern)
  const levels = reachesBelow(place.pattern) ? MOST_LEVELS : 0
  try {
    const folder = await trueFolder(place)
    let page: SourceFile[] = []
    for await (const key of keysIn(folder, { inside: '', levels, stop })) {
      const file = isMeant(key) ? await fileAt(place, folder, key) : null
      if (file) page.push(file)
      if (page.length < PAGE) continue
      yield page
      page = []
    }
    if (page.length > 0) yield page
  } catch (error) {
    if (stop.aborted) throw error
    throw folderTrouble(place, error)
  }
}

/** The file that was listed, opened: no link, and no other file that has its name by now. */
async function openListed(place: FolderPlace, file: SourceFile): Promise<FileHandle> {
  const path = join(await trueFolder(place), file.key)
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  try {
    const [opened, named] = [await handle.stat({ bigint: true }), await lstat(path, { bigint: true })]
    const isSame = opened.isFile() && opened.ino === named.ino && opened.dev === named.dev
    if (!isSame || (await realpath(path)) !== path || versionOf(opened) !== file.version) throw fileChanged()
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** The bytes of a file, of the content that was listed or not at all. */
export async function* folderBytes(
  place: FolderPlace,
  file: SourceFile,
  stop: AbortSignal,
): AsyncGenerator<Uint8Array> {
  let handle: FileHandle
  try {
    handle = await openListed(place, file)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') throw fileGone()
    if (codeOf(error) === 'ELOOP') throw fileChanged()
    throw folderTrouble(place, error)
  }
  try {
    // One more than it has: what grows is not read for ever.
    const stream = handle.createReadStream({
      autoClose: false,
      highWaterMark: CHUNK_BYTES,
      end: file.sizeBytes,
    })
    for await (const chunk of stream) {
      stop.throwIfAborted()
      yield chunk as Uint8Array
    }
    if (versionOf(await handle.stat({ bigint: true })) !== file.version) throw fileChanged()
  } finally {
    await handle.close()
  }
}
