import { readdir, rm, stat } from 'node:fs/promises'
import { join, parse } from 'node:path'
import { UNFINISHED, textsFile, valuesFile } from './form.ts'

export interface ResultFile {
  readonly queryId: string
  readonly bytes: number
  readonly writtenAt: Date
}

/** What is kept, by the ids it is named after. */
export async function listResults(directory: string): Promise<ResultFile[]> {
  const found = new Map<string, ResultFile>()
  for (const name of await namesIn(directory)) {
    const facts = name.endsWith(UNFINISHED) ? null : await statOf(join(directory, name))
    if (!facts) continue
    const { name: queryId } = parse(name)
    const bytes = facts.size + (found.get(queryId)?.bytes ?? 0)
    found.set(queryId, { queryId, bytes, writtenAt: facts.mtime })
  }
  return [...found.values()]
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
