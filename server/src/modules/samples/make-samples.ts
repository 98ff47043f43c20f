import { randomUUID } from 'node:crypto'
import { DEFAULT_CATALOG, SAMPLE_DATABASE } from '@boathouse/contract'
import type { Engine } from '../../engines/engine/engine.ts'

/** Made again from the beginning when it was cut off. An engine that has none for its users leaves them without. */
export async function makeSamples(engine: Engine): Promise<void> {
  const { sampleData } = engine.dialect
  if (!sampleData) return
  const session = await engine.openSession({
    catalog: DEFAULT_CATALOG,
    database: null,
    timeZone: 'UTC',
    variables: {},
  })
  for (const sql of sampleData(SAMPLE_DATABASE)) {
    const outcome = await session.execute(sql, {
      takenFor: null,
      authorize: 'all',
      maxRows: 1,
      queryId: randomUUID(),
      keep: null,
      profile: null,
    }).outcome
    if (outcome.state !== 'finished')
      throw new Error(
        `The sample data could not be created: ${'error' in outcome ? outcome.error.message : outcome.state}`,
      )
  }
  await session.close()
}
