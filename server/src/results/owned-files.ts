import { lchown, lstat, mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Whose an account's folder is, where the service may give files away; null where all files are its own anyway. */
async function ownerOf(folder: string): Promise<{ uid: number; gid: number } | null> {
  return process.getuid?.() === 0 ? lstat(folder) : null
}

/** A folder in that of an account, for the user of the operating system whose that is: readers run as that user. */
export async function makeOwnedFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const owner = await ownerOf(dirname(folder))
  if (owner) await lchown(folder, owner.uid, owner.gid)
}

/** A new file in such a folder. Whatever somebody else has put in its place is not followed. */
export async function createOwnedFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'wx', 0o600)
  try {
    const owner = await ownerOf(dirname(path))
    if (owner) await file.chown(owner.uid, owner.gid)
    return file
  } catch (error) {
    await file.close()
    throw error
  }
}
