import { statSync } from 'node:fs'
import { readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { errorCode } from '../error-code.ts'
import { processInfo } from './process-info.ts'
import { socketPort } from './socket-directory.ts'

/** A running PostgreSQL server on our directory. */
export interface Postmaster {
  pid: number
  ready: boolean
  socketDirectory: string
}

/** An empty lock file younger than this may be one that is just being written. */
const emptyFileGraceMs = 2_000

/** Finds the server that holds the directory. */
export async function findPostmaster(dataDirectory: string): Promise<Postmaster | undefined> {
  const lines = await readLock(join(dataDirectory, 'postmaster.pid'), dataDirectory)
  if (!lines) return undefined
  return { pid: Number(lines[0]), ready: lines[7]?.trim() === 'ready', socketDirectory: lines[4] ?? '' }
}

/** A killed server leaves a second lock beside its socket, with the same pitfalls. */
export async function clearSocketLock(socketDirectory: string, dataDirectory: string): Promise<void> {
  await readLock(join(socketDirectory, `.s.PGSQL.${socketPort}.lock`), dataDirectory)
}

/**
 * The lines of a lock file whose server lives. A file that PostgreSQL itself would wrongly take for that of a
 * living server (its process is a zombie, or the number now belongs to another program) is removed.
 */
async function readLock(file: string, dataDirectory: string): Promise<string[] | undefined> {
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number.parseInt(lines[0] ?? '', 10)
  if (Number.isNaN(pid)) {
    if (isOlderThan(file, emptyFileGraceMs)) await removeIfSame(file, text)
    return undefined
  }
  const info = await processInfo(pid)
  // PostgreSQL clears up after a process that is gone, and then also looks for its orphaned children.
  if (info.state === 'gone') return undefined
  if (info.state === 'alive' && serves(info.command, dataDirectory)) return lines
  await removeIfSame(file, text)
  return undefined
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

function isOlderThan(file: string, milliseconds: number): boolean {
  const found = statSync(file, { throwIfNoEntry: false })
  return found !== undefined && Date.now() - found.mtimeMs > milliseconds
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
