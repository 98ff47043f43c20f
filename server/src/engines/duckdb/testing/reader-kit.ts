import { beforeAll } from 'vitest'
import type { OpenReader } from '../../../results/reader.ts'
import { accountSpace, openSession, removeSpace } from '../../conformance/fixture.ts'
import { runKept } from '../../conformance/run-kept.ts'
import type { Engine } from '../../engine/engine.ts'
import { createInProcessDuckdb } from '../in-process.ts'

/** An engine for all tests of a file, and a reader of what it keeps. */
export function readerKit() {
  let engine: Engine
  let reader: OpenReader
  beforeAll(async () => {
    const space = await accountSpace()
    const provider = createInProcessDuckdb()
    engine = await provider.open(space)
    reader = await provider.openReader(space)
    return async () => {
      await reader.close()
      await engine.close()
      await removeSpace(space)
    }
  })

  return {
    reader: () => reader,
    /** The id under which the rows of a statement are kept. */
    async kept(sql: string): Promise<string> {
      const { queryId } = await runKept(await openSession(engine), sql)
      await engine.settled(queryId)
      return queryId
    },
  }
}
