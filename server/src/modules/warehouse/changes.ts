import { DEFAULT_WAREHOUSE_NAME, type WarehouseEdit } from '@boathouse/contract'
import type { Actor } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { changesOf } from './edit-changes.ts'
import type { Finder } from './find.ts'
import type { Lifecycle } from './lifecycle.ts'
import type { AuditFacts, WarehouseChange, WarehouseRow } from './store.ts'
import { type From, NOWHERE, settingsOf, auditFactsBy } from './audit-facts.ts'

interface ChangesParts {
  readonly finder: Pick<Finder, 'findFor'>
  readonly lifecycle: Pick<Lifecycle, 'delete' | 'edit' | 'resize' | 'resume' | 'suspend'>
}

/** What somebody does with a warehouse that there is. */
export function createChanges({ finder, lifecycle }: ChangesParts) {
  return {
    async update(
      from: From & { readonly actor: Actor },
      warehouseId: string,
      edit: WarehouseEdit,
    ): Promise<WarehouseRow> {
      const { actor } = from
      let row = await finder.findFor(actor, warehouseId, 'ALTER')
      const { change, detail } = changesOf(row, edit)
      if (change.name !== undefined && row.name === DEFAULT_WAREHOUSE_NAME)
        throw new AppError('Conflict', `${row.name} cannot be renamed: it is the default warehouse.`)
      const factsOf = (action: AuditFacts['action'], next: WarehouseChange): AuditFacts => {
        const after = settingsOf({ ...row, ...next } as WarehouseRow)
        return auditFactsBy(actor, from, { action, before: settingsOf(row), after })
      }
      if (detail) {
        const audit = factsOf(change.name === undefined ? 'warehouse.alter' : 'warehouse.rename', change)
        row = await lifecycle.edit(row, change, { action: 'Edit', actor: actor.user, detail, audit })
      }
      const { size } = edit
      if (size === undefined || size === row.size) return row
      const words = `from ${row.size} to ${size}`
      const audit = factsOf('warehouse.alter', { size })
      return lifecycle.resize(row, size, { action: 'Resize', actor: actor.user, detail: words, audit })
    },

    async suspend(actor: Actor, warehouseId: string): Promise<WarehouseRow> {
      return lifecycle.suspend(await finder.findFor(actor, warehouseId, 'ALTER'), {
        action: 'Suspend',
        actor: actor.user,
      })
    },

    async resume(actor: Actor, warehouseId: string): Promise<WarehouseRow> {
      return lifecycle.resume(await finder.findFor(actor, warehouseId, 'ALTER'), {
        action: 'Resume',
        actor: actor.user,
      })
    },

    async delete(actor: Actor, warehouseId: string, from = NOWHERE): Promise<void> {
      const row = await finder.findFor(actor, warehouseId, 'DROP')
      if (row.name === DEFAULT_WAREHOUSE_NAME)
        throw new AppError(
          'Conflict',
          `${row.name} cannot be deleted: it is the default warehouse. Suspend it instead.`,
        )
      const audit = auditFactsBy(actor, from, {
        action: 'warehouse.drop',
        before: settingsOf(row),
        after: null,
      })
      await lifecycle.delete(row, { action: 'Delete', actor: actor.user, audit })
    },
  }
}
