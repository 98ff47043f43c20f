import { objectOf, foldedName } from '@boathouse/contract'
import type { UseEngine } from '../../../engines/engine/engine.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import type { Authority } from '../../access/authority.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import { catalogMissing } from '../catalogs/catalogs.ts'
import { findDatabase } from '../changes/change-run.ts'
import { createLookingFor } from './looking.ts'

export interface SizeParts {
  readonly useServiceEngine: UseEngine
  readonly authority: Pick<Authority, 'visible' | 'may'>
  /** By `viewKey`: engines take them for tables. */
  readonly materialized: { keysOf(accountId: string): Promise<ReadonlySet<string>> }
}

/** A list does not wait for it, and nobody waits longer. */
const WITHIN_MS = 2_000

interface AskedSizes {
  readonly catalog: string
  readonly databaseName: string
  readonly tableNames: readonly string[]
}

interface FoundSize {
  readonly tableName: string
  readonly bytes: number
  readonly exact: boolean
}

/** What the tables of a page take of the disk. What nobody may see, is not there or takes too long is left out. */
export function createTableSizes({ useServiceEngine, authority, materialized }: SizeParts) {
  const look = createLookingFor({ useServiceEngine, authority })

  return (actor: Actor, asked: AskedSizes): Promise<{ list: FoundSize[] }> =>
    look(actor, async (looking) => {
      const { sizes, catalogNamed } = looking
      const catalog = catalogNamed(asked.catalog)
      const usage = objectOf('catalog', { catalog })
      if (!isFirst(catalog) && !(await authority.may(actor, 'USAGE', usage)))
        throw catalogMissing(asked.catalog)
      const place = await findDatabase(looking, { catalog, database: asked.databaseName })
      const views = await materialized.keysOf(actor.accountId)
      const seen = {
        table: await authority.visible(actor, { ...place, type: 'table' }),
        materialized_view: await authority.visible(actor, { ...place, type: 'materialized_view' }),
      }
      const names = [...new Set(asked.tableNames)].filter((name) => {
        const type = views.has(viewKey({ ...place, name })) ? 'materialized_view' : 'table'
        return seen[type] === 'all' || seen[type].has(foldedName(name))
      })
      const found = await sizes?.({ ...place, names, withinMs: WITHIN_MS })
      return {
        list: [...(found ?? [])].map(([tableName, bytes]) => ({ tableName, bytes, exact: false })),
      }
    })
}

export type TableSizes = ReturnType<typeof createTableSizes>
