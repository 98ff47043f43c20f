import { LIMITS } from '@boathouse/contract'
import type { Ground } from './build-ground.ts'
import type { BuildOptions } from './build-options.ts'
import type { Job } from './jobs/jobs.ts'
import type { Editor } from './modules/editor/service.ts'
import { createFactStore } from './modules/lineage/fact-store.ts'
import { createFollowing } from './modules/lineage/following.ts'
import { createMeasureStore } from './modules/lineage/measure-store.ts'
import { createMeasures } from './modules/lineage/measures.ts'
import { createReadingStore } from './modules/lineage/reading-store.ts'
import { createLineage, type LineageParts } from './modules/lineage/service.ts'
import { createTableUses } from './modules/lineage/uses.ts'
import type { Pipes } from './modules/load/pipes/service.ts'

type BaseParts = Pick<BuildOptions, 'store' | 'clock' | 'log'> & Pick<Ground, 'useServiceEngine'>

const MINUTE_MS = 60_000

/** What runs before anybody asks: uses are counted, and what is known of tables follows them. */
export function openLineage({ store, useServiceEngine, clock, log }: BaseParts) {
  const { db } = store
  const uses = createTableUses({ db, clock, log })
  const measures = createMeasures({ store: createMeasureStore(db), useServiceEngine, clock, log })
  const jobs: Job[] = [
    { name: 'count rows of changed tables', everyMs: MINUTE_MS, run: measures.run },
    {
      name: 'forget old uses of tables',
      everyMs: 10 * MINUTE_MS,
      run: async () => {
        await uses.forgetOld()
        await measures.forgetOld()
      },
    },
  ]
  return { uses, measures, following: createFollowing({ store: createFactStore(db), uses, clock }), jobs }
}

export type LineageBase = ReturnType<typeof openLineage>

interface ReadingParts
  extends Pick<BuildOptions, 'store' | 'clock'>, Pick<LineageParts, 'objects' | 'history'> {
  readonly lineage: Pick<LineageBase, 'uses'>
  readonly editor: Pick<Editor, 'naming'>
  readonly pipes: Pick<Pipes, 'list'>
}

const ALL_PIPES = { offset: 0, limit: LIMITS.pipesPerAccount }

/** Wires what is shown of tables beside their rows; a part of `build`. */
export const buildLineage = ({ store, lineage, editor, pipes, objects, history, clock }: ReadingParts) =>
  createLineage({
    store: createReadingStore(store.db),
    uses: lineage.uses,
    objects,
    history,
    queriesNaming: editor.naming,
    pipes: async (actor) =>
      (await pipes.list(actor, ALL_PIPES)).whole.map(({ row }) => ({
        pipeId: row.pipe_id,
        name: row.name,
        catalog: row.catalog,
        database: row.database_name,
        table: { catalog: row.table_catalog, database: row.table_database, name: row.table_name },
      })),
    clock,
  })
