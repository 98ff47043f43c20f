import { rm } from 'node:fs/promises'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { sizeOf } from '../../../results/files.ts'
import {
  type ResultFacts,
  type TextResult,
  UNFINISHED,
  textsFile,
  valuesFile,
} from '../../../results/form.ts'
import { readFacts } from '../result-writer/result-file.ts'
import type { WriterDatabase } from '../result-writer/writer-database.ts'
import { readTexts, textsToParquet } from './text-file.ts'
import { type FileRows, fileWindow, textWindow, type Window, type WindowRows } from './window-rows.ts'

export type Found = FileRows | TextResult

// Of results read lately: scrolling asks for the same one again and again.
const MOST_FACTS_KEPT = 100

/** Results of one folder, in either form that they are kept in. */
export function createFoundResults(database: WriterDatabase, folder: string) {
  const known = new BoundedMap<ResultFacts>(MOST_FACTS_KEPT)

  async function find(queryId: string): Promise<Found | null> {
    const file = valuesFile(folder, queryId)
    const texts = await readTexts(textsFile(folder, queryId))
    if (texts) return texts
    if ((await sizeOf(file)) === null) return null
    const facts = known.get(queryId) ?? (await database.use((connection) => readFacts(connection, file)))
    known.set(queryId, facts, 1)
    return { file, facts }
  }

  return {
    find,

    readWindow: (found: Found, window: Window): Promise<WindowRows> =>
      'file' in found
        ? database.use((connection) => fileWindow(connection, found, window))
        : Promise.resolve(textWindow(found, window)),

    /** Exports are made from a file of values. */
    async withValues<T>(found: Found, target: string, work: (found: FileRows) => Promise<T>): Promise<T> {
      if ('file' in found) return work(found)
      const file = `${target}.values${UNFINISHED}`
      try {
        await database.use((connection) => textsToParquet(connection, found, file))
        return await work({ file, facts: found.facts })
      } finally {
        await rm(file, { force: true })
      }
    },
  }
}

export type FoundResults = ReturnType<typeof createFoundResults>
