import { randomUUID } from 'node:crypto'
import { type Input, objectOf, SYSTEM, type warehouse } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Authority } from '../access/authority.ts'
import type { GrantToCreator } from '../access/creator-grants.ts'
import { recordAudit } from '../audit/record.ts'
import type { Compute } from './compute-port.ts'
import { engineIn, engineOfNew, kindsFor } from './engine-kinds.ts'
import type { Lifecycle } from './lifecycle.ts'
import { auditOf, type WarehouseRow, type WarehouseStore } from './store.ts'
import { NOWHERE, settingsOf, auditFactsBy } from './audit-facts.ts'

interface CreationParts {
  readonly store: Pick<WarehouseStore, 'account' | 'find' | 'insert'>
  readonly compute: Pick<Compute, 'kinds'>
  readonly lifecycle: Pick<Lifecycle, 'deploy'>
  readonly authority: Pick<Authority, 'require'>
  /** The user who creates an object holds every privilege on it. */
  readonly grantToCreator: GrantToCreator
  /** Throws when a budget of the warehouse is used up; asked before anything is spent. */
  readonly requireBudget: (accountId: string, warehouseId: string) => Promise<void>
  readonly clock: Clock
}

type WarehouseDraft = Input<typeof warehouse.create>

/** How somebody makes a warehouse. */
export function createCreation(parts: CreationParts) {
  const { store, compute, authority, grantToCreator, requireBudget, lifecycle, clock } = parts

  return {
    /** Made and started, but for a cluster, which starts meanwhile; one that does not start is there all the same, as Failed. */
    async create(actor: Actor, draft: WarehouseDraft, from = NOWHERE): Promise<WarehouseRow> {
      await authority.require(actor, { privilege: 'CREATE WAREHOUSE', object: SYSTEM })
      const { kinds } = compute
      const chosen = kindsFor(kinds, (await store.account(actor.accountId)).engines)
      const engine = engineOfNew({ kinds, chosen }, draft.engine ?? null)
      const id = randomUUID()
      await requireBudget(actor.accountId, id)
      const draftRow = {
        warehouse_id: id,
        account_id: actor.accountId,
        name: draft.name,
        description: draft.description,
        size: draft.size,
        engine,
        auto_suspend_minutes: draft.idleMinutes,
        auto_resume: draft.autoResume,
        status: 'Deploying',
        created_by: actor.user,
        created_at: clock.now(),
        resumed_at: null,
      }
      const created = { action: 'warehouse.create', before: null, after: settingsOf(draftRow) } as const
      const row = await store.insert(draftRow, async (trx) => {
        await grantToCreator(trx, actor, objectOf('warehouse', { name: id }))
        await recordAudit(trx, auditOf(draftRow, auditFactsBy(actor, from, created), draftRow.created_at))
      })
      const cause = { action: 'Create', actor: actor.user, detail: `size ${draft.size}` } as const
      const deployed = lifecycle.deploy(row, cause)
      if (engineIn(compute.kinds, row).isCluster) {
        // Its start takes long, and its page shows how far it has come. A failure is written down there.
        deployed.catch(() => undefined)
        return row
      }
      try {
        return await deployed
      } catch (error) {
        const failed = await store.find(actor.accountId, row.warehouse_id)
        if (failed?.status === 'Failed') return failed
        throw error
      }
    },
  }
}
