import { afterAll, beforeAll } from 'vitest'
import { dropResults, findResults, resultIdsIn } from '../../results/files.ts'
import { placesIn } from '../../results/form.ts'
import type { OpenReader, ResultReader } from '../../results/reader.ts'
import type { Engine } from '../engine/engine.ts'
import { ACCOUNT, type OpenFixture, type SharedEngine, sharedEngine } from './fixture.ts'

/** What is kept of an engine's statements, as the service has it. */
export interface KeptResults extends ResultReader {
  list(): ReturnType<typeof findResults>
  drop(queryIds: readonly string[]): Promise<void>
}

export function keptResults(engine: Engine, reader: ResultReader, directory: string): KeptResults {
  const { results } = placesIn(directory)
  return {
    async read(queryId, window) {
      await engine.settled(queryId)
      return reader.read(queryId, window)
    },
    async arranged(queryId, order) {
      await engine.settled(queryId)
      return reader.arranged(queryId, order)
    },
    async cell(queryId, part) {
      await engine.settled(queryId)
      return reader.cell(queryId, part)
    },
    async statistics(queryId, order) {
      await engine.settled(queryId)
      return reader.statistics(queryId, order)
    },
    async pivot(queryId, order) {
      await engine.settled(queryId)
      return reader.pivot(queryId, order)
    },
    async compare(queryId, order) {
      await engine.settled(queryId)
      await engine.settled(order.earlierId)
      return reader.compare(queryId, order)
    },
    stopWork: reader.stopWork,
    async export(queryId, order) {
      await engine.settled(queryId)
      return reader.export(queryId, order)
    },
    exportProgress: reader.exportProgress,
    stopExport: reader.stopExport,
    list: async () => findResults(results, await resultIdsIn(results)),
    drop: (queryIds) => dropResults(results, queryIds),
  }
}

export interface SharedResults extends SharedEngine {
  results(): KeptResults
}

/** An engine for all tests of a group, with a reader of what it keeps. */
export function sharedResults(open: OpenFixture): SharedResults {
  const shared = sharedEngine(open)
  let reader: OpenReader | null = null
  beforeAll(async () => {
    reader = await shared.provider().openReader({ ...ACCOUNT, directory: shared.directory() })
  })
  afterAll(() => reader?.close())
  return {
    ...shared,
    results() {
      if (!reader) throw new Error('The reader of this group is not open.')
      return keptResults(shared.engine(), reader, shared.directory())
    },
  }
}
