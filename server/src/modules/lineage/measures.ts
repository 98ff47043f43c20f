import type { UseEngine } from '../../engines/engine/engine.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createLooking, type Looking, NotFinished } from '../schema/objects/looking.ts'
import type { DueTable, Measure, MeasureStore } from './measure-store.ts'

/** A table is counted no more often, however often it is written to. */
const GAP_MS = 10 * 60_000
const MOST_TOGETHER = 50
/** What takes longer is left unknown. */
const WITHIN_MS = 2_000
const DAY_MS = 86_400_000
const KEPT_DAYS = 400
const FORGOTTEN_TOGETHER = 10_000

export interface MeasureParts {
  readonly store: MeasureStore
  readonly useServiceEngine: UseEngine
  readonly clock: Clock
  readonly log: Log
}

async function known(found: Promise<number | null>): Promise<number | null> {
  try {
    return await found
  } catch (error) {
    if (error instanceof NotFinished) return null
    throw error
  }
}

/** Null: there is no such table. */
async function measured(looking: Looking, due: DueTable): Promise<Measure | null> {
  const { lists, hasCatalog, catalogNamed, describe, sizes } = looking
  if (!hasCatalog(due.catalog)) return null
  const catalog = catalogNamed(due.catalog)
  const database = await lists.databaseNamed({ catalog, database: due.database })
  if (database === null) return null
  const name = await lists.objectNamed({ catalog, database }, { type: 'table', name: due.name })
  if (name === null) return null
  const rows = await known(
    describe({ withinMs: WITHIN_MS }).countRows({ type: 'table', catalog, database, name }),
  )
  const found = await sizes?.({ catalog, database, names: [name], withinMs: WITHIN_MS })
  return { rows, bytes: found?.get(name) ?? null }
}

/** Counts rows and bytes of tables after they were written to: a curve of them is made of what was counted. */
export function createMeasures({ store, useServiceEngine, clock, log }: MeasureParts) {
  const look = createLooking({ useServiceEngine })

  async function measureOne(looking: Looking, due: DueTable): Promise<void> {
    await store.begin(due, clock.now())
    const found = await measured(looking, due)
    if (found) await store.put(due, found, clock.now())
    else await store.forgetUnknown(due)
  }

  return {
    async run(): Promise<void> {
      const due = await store.due(new Date(clock.now().getTime() - GAP_MS), MOST_TOGETHER)
      for (const accountId of new Set(due.map((one) => one.accountId)))
        await look({ accountId, user: '' }, async (looking) => {
          for (const table of due) if (table.accountId === accountId) await measureOne(looking, table)
        }).catch(async (error: unknown) => {
          log.warn({ err: error, accountId }, 'tables of an account were not measured')
          await store.postpone(accountId, clock.now())
        })
    },

    forgetOld: () =>
      store.forgetOld(new Date(clock.now().getTime() - KEPT_DAYS * DAY_MS), FORGOTTEN_TOGETHER),
  }
}
