import type { Kysely } from 'kysely'
import type { Actor } from '../../../kernel/actor.ts'
import type { Schema } from '../../../store/schema.ts'
import type { Steps } from '../../../store/steps.ts'
import { seenBy } from './seen-by.ts'
import { createSeriesStore } from './series-store.ts'

interface SeriesParts {
  readonly db: Kysely<Schema>
  /** Resolves when no end that was sent by now is still on its way to the database. */
  readonly endsWritten: () => Promise<void>
}

/** Statements over time, of those that one may see. */
export function createStatementSeries({ db, endsWritten }: SeriesParts) {
  const store = createSeriesStore(db)
  return {
    async over(actor: Actor, steps: Steps, warehouseId: string | undefined) {
      await endsWritten()
      const whose = seenBy(actor)
      const rows = await store.byStep(whose, steps, warehouseId)
      const searchedTo = await store.lookedTo(whose, steps, warehouseId)
      return { rows, searchedTo: searchedTo?.toISOString() ?? null }
    },
  }
}

export type StatementSeries = ReturnType<typeof createStatementSeries>
