import { readFileSync } from 'node:fs'
import { readlink, symlink } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { errorCode } from '../error-code.ts'
import type { PostgresRuntime } from './find-runtime.ts'

interface Link {
  source: string
  target: string
}

/**
 * npm packages carry no symbolic links, and the install script that would make them is not run here.
 * Answers false when the package is read-only and something is missing.
 */
export async function linkLibraries({ directory }: PostgresRuntime): Promise<boolean> {
  const links = JSON.parse(readFileSync(join(directory, 'native', 'pg-symlinks.json'), 'utf8')) as Link[]
  for (const { source, target } of links) {
    if (!(await link(basename(source), join(directory, target)))) return false
  }
  return true
}

async function link(source: string, target: string): Promise<boolean> {
  if (await isLink(target)) return true
  try {
    await symlink(source, target)
    return true
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EEXIST') return true
    if (code === 'EROFS' || code === 'EACCES' || code === 'EPERM') return false
    throw error
  }
}

async function isLink(path: string): Promise<boolean> {
  try {
    await readlink(path)
    return true
  } catch (error) {
    // EINVAL: a real file is there, which works as well.
    if (errorCode(error) === 'EINVAL') return true
    if (errorCode(error) === 'ENOENT') return false
    throw error
  }
}
