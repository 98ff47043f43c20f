import { readdir, rm, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { UNFINISHED, textsFile, valuesFile } from './form.ts'

export interface ResultFile {
  readonly queryId: string
  readonly bytes: number
  readonly writtenAt: Date
}

/** The ids of what is kept. */
export async function resultIdsIn(directory: string): Promise<string[]> {
  const names = (await namesIn(directory)).filter((name) => !name.endsWith(UNFINISHED))
  return [...new Set(names.map((name) => parse(name).name))]
}

/** Those of them that are there, in either form. */
export async function findResults(directory: string, queryIds: readonly string[]): Promise<ResultFile[]> {
  const found: ResultFile[] = []
  for (const queryId of queryIds) {
    const facts =
      (await statOf(textsFile(directory, queryId))) ?? (await statOf(valuesFile(directory, queryId)))
    if (facts) found.push({ queryId, bytes: facts.size, writtenAt: facts.mtime })
  }
  return found
}

export async function dropResults(directory: string, queryIds: readonly string[]): Promise<void> {
  for (const queryId of queryIds)
    for (const file of [valuesFile, textsFile]) await rm(file(directory, queryId), { force: true })
}

/** What a process that ended in the middle left behind. */
export async function removeUnfinished(directory: string): Promise<void> {
  for (const name of await namesIn(directory))
    if (name.endsWith(UNFINISHED)) await rm(join(directory, name), { force: true })
}

/** Null when there is no such file (any more). */
export async function sizeOf(file: string): Promise<number | null> {
  return (await statOf(file))?.size ?? null
}

/** None when there is no such folder (yet). */
export function namesIn(directory: string): Promise<string[]> {
  return unlessMissing(readdir(directory), [])
}

const statOf = (file: string) => unlessMissing(stat(file), null)

async function unlessMissing<T, M>(found: Promise<T>, missing: M): Promise<T | M> {
  try {
    return await found
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return missing
    throw error
  }
}
