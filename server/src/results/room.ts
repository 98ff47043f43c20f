import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../kernel/clock.ts'
import { type ResultFile, dropResults, findResults, namesIn, resultIdsIn, sizeOf } from './files.ts'
import { UNFINISHED, placesIn } from './form.ts'
import type { ReaderProvider, ResultReader } from './reader.ts'
import { createReaders } from './readers.ts'

export interface RoomOptions {
  readonly provider: ReaderProvider
  readonly accountDirectory: (accountId: string) => string
  readonly osUserOf: (accountId: string) => Promise<number | null>
  /** Done when a result that an engine has promised is on disk, or will not be. Starts no engine. */
  readonly settled: (accountId: string, queryId: string) => Promise<void>
  readonly clock: Clock
}

const SWEPT_AT_ONCE = 1000

/**
 * Kept results of all accounts. Their files are listed and removed here, without any engine; they are read and written
 * out by readers of the service, one process for each account, none of which runs a statement of a user.
 */
export function createResultRoom({ provider, accountDirectory, osUserOf, settled, clock }: RoomOptions) {
  const readers = createReaders({ provider, clock })
  const placesOf = (accountId: string) => placesIn(accountDirectory(accountId))

  return {
    async reading<T>(
      { accountId, queryId }: { accountId: string; queryId: string },
      work: (reader: ResultReader) => Promise<T>,
    ): Promise<T> {
      await settled(accountId, queryId)
      const place = { accountId, directory: accountDirectory(accountId), osUser: await osUserOf(accountId) }
      return readers.use(place, work)
    },

    /** Of those that are on disk. */
    sizesOf: (accountId: string, queryIds: readonly string[]): Promise<ResultFile[]> =>
      findResults(placesOf(accountId).results, queryIds),

    drop: (accountId: string, queryIds: readonly string[]): Promise<void> =>
      dropResults(placesOf(accountId).results, queryIds),

    /** Removes files that nobody knows and that were written before; answers how many. */
    async sweepResults(
      accountId: string,
      before: Date,
      known: (queryIds: readonly string[]) => Promise<ReadonlySet<string>>,
    ): Promise<number> {
      const { results } = placesOf(accountId)
      const all = await resultIdsIn(results)
      let count = 0
      for (let from = 0; from < all.length; from += SWEPT_AT_ONCE) {
        const queryIds = all.slice(from, from + SWEPT_AT_ONCE)
        const kept = await known(queryIds)
        const unknown = queryIds.filter((queryId) => !kept.has(queryId))
        const old = (await findResults(results, unknown)).filter((file) => file.writtenAt < before)
        await dropResults(
          results,
          old.map((file) => file.queryId),
        )
        count += old.length
      }
      return count
    },

    exportFile: (accountId: string, name: string): string => join(placesOf(accountId).exports, name),

    /** What is written so far of a file that is being made. */
    unfinishedBytes: async (file: string): Promise<number> => (await sizeOf(`${file}${UNFINISHED}`)) ?? 0,

    /** Removes files that nobody knows, as after a crash; answers how many. A file is known before it is there. */
    async sweepExports(accountId: string, known: () => Promise<ReadonlySet<string>>): Promise<number> {
      const { exports } = placesOf(accountId)
      const names = await namesIn(exports)
      if (names.length === 0) return 0
      const files = await known()
      const left = names.map((name) => join(exports, name)).filter((file) => !files.has(madeFor(file)))
      for (const file of left) await rm(file, { force: true })
      return left.length
    },

    endUnusedReaders: readers.endUnused,
    close: readers.close,
  }
}

export type ResultRoom = ReturnType<typeof createResultRoom>

/** While a file is made, it and what it is made of bear its name and an ending. */
const madeFor = (file: string): string =>
  file.endsWith(UNFINISHED) ? file.slice(0, -UNFINISHED.length).replace(/\.values$/, '') : file
