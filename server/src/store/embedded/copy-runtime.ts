import { randomUUID } from 'node:crypto'
import { chmod, copyFile, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PostgresRuntime } from './find-runtime.ts'
import { linkLibraries } from './link-libraries.ts'
import { makeOpenFolder, pathExists } from './paths.ts'

/** Makes a copy that every user may read and run; the copy appears whole or not at all. */
export async function copyRuntime(runtime: PostgresRuntime, parent: string): Promise<PostgresRuntime> {
  const directory = join(parent, `postgresql-${runtime.version}-${process.platform}-${process.arch}`)
  if (await pathExists(directory)) return { ...runtime, directory }
  const draft = `${directory}.copying-${randomUUID()}`
  try {
    await copyFolder(runtime.directory, draft)
    await linkLibraries({ ...runtime, directory: draft })
    await rename(draft, directory)
  } catch (error) {
    await rm(draft, { recursive: true, force: true })
    // Another process may have been faster.
    if (!(await pathExists(directory))) throw error
  }
  return { ...runtime, directory }
}

async function copyFolder(from: string, to: string): Promise<void> {
  await makeOpenFolder(to)
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)]
    if (entry.isDirectory()) await copyFolder(source, target)
    // Links are created again; static libraries are only for compilers.
    else if (entry.isFile() && !entry.name.endsWith('.a')) await copyReadable(source, target)
  }
}

async function copyReadable(source: string, target: string): Promise<void> {
  const { mode } = await stat(source)
  await copyFile(source, target)
  await chmod(target, (mode & 0o100) === 0 ? 0o644 : 0o755)
}
