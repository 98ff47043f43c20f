import { readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { processInfo } from './process-info.ts'

/** A running PostgreSQL server on our directory. */
export interface Postmaster {
  pid: number
  ready: boolean
  socketDirectory: string
}

/** An empty lock file younger than this may be one that is just being written. */
const emptyFileGraceMs = 2_000

/**
 * Finds the server that holds the directory. A lock file that PostgreSQL itself would wrongly take for a
 * living server (its process is a zombie, or the number now belongs to another program) is removed.
 */
export async function findPostmaster(dataDirectory: string): Promise<Postmaster | undefined> {
  const file = join(dataDirectory, 'postmaster.pid')
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (Number.isNaN(pid)) {
    if (await isOlderThan(file, emptyFileGraceMs)) await removeIfSame(file, text)
    return undefined
  }
  const info = await processInfo(pid)
  // PostgreSQL clears up after a process that is gone, and then also looks for its orphaned children.
  if (info.state === 'gone') return undefined
  if (info.state === 'zombie' || !serves(info.command, dataDirectory)) {
    await removeIfSame(file, text)
    return undefined
  }
  return { pid, ready: lines[7]?.trim() === 'ready', socketDirectory: lines[4] ?? '' }
}

export async function isPostmaster(pid: number, dataDirectory: string): Promise<boolean> {
  const info = await processInfo(pid)
  return info.state === 'alive' && serves(info.command, dataDirectory)
}

function serves(command: string, dataDirectory: string): boolean {
  return command.includes(`-D ${dataDirectory} -c`)
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined
    throw error
  }
}

async function isOlderThan(file: string, milliseconds: number): Promise<boolean> {
  const { mtimeMs } = await stat(file)
  return Date.now() - mtimeMs > milliseconds
}

/** Another process may have cleared up and started a server since we looked; its file must stay. */
async function removeIfSame(file: string, text: string): Promise<void> {
  const aside = `${file}.stale-${process.pid}`
  try {
    await rename(file, aside)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return
    throw error
  }
  if ((await readFile(aside, 'utf8')) === text) await rm(aside)
  else await rename(aside, file)
}
