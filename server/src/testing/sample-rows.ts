import { randomUUID } from 'node:crypto'
import { DEFAULT_CATALOG, SAMPLE_DATABASE } from '@boathouse/contract'
import type { TestApp } from './start-app.ts'

/** Rows of the orders in the sample data of an account, as its engine counts them. */
export const sampleRows = (app: TestApp, accountId: string): Promise<number> =>
  app.compute.useServiceEngine(accountId, async (engine) => {
    const place = { catalog: DEFAULT_CATALOG, database: null, timeZone: 'UTC', variables: {} }
    const session = await engine.openSession(place)
    const outcome = await session.execute(`select count(*) from ${SAMPLE_DATABASE}.orders`, {
      takenFor: null,
      authorize: 'all',
      maxRows: 1,
      queryId: randomUUID(),
      keep: null,
      profile: null,
    }).outcome
    await session.close()
    if (outcome.state !== 'finished') throw new Error(`There is no sample data: ${JSON.stringify(outcome)}`)
    return Number(outcome.result.rows[0]?.[0])
  })
