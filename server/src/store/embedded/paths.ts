import { chmod, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errorCode } from '../error-code.ts'

export async function pathExists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return false
    throw error
  }
}

/** Makes a folder, and those above it, that every user may enter whatever the umask. */
export async function makeOpenFolder(path: string): Promise<void> {
  if (await pathExists(path)) return
  await makeOpenFolder(dirname(path))
  await mkdir(path, { recursive: true })
  await chmod(path, 0o755)
}
