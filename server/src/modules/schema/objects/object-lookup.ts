import type { AccessObject } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import type { Schemas } from '../service.ts'

export interface WarehouseNames {
  /** Null when there is none. */
  idOf(accountId: string, name: string): Promise<string | null>
  /** By their ids; one that is gone is not named. */
  namesOf(accountId: string, ids: readonly string[]): Promise<ReadonlyMap<string, string>>
}

/** Whether what somebody names is there: data as the engine knows it, warehouses as we do. */
export function createObjectLookup({
  schemas,
  warehouses,
}: {
  schemas: Pick<Schemas, 'trueNames'>
  warehouses: WarehouseNames
}) {
  return {
    async resolve(actor: Actor, object: AccessObject): Promise<AccessObject | null> {
      if (object.type === 'system') return object
      if (object.type !== 'warehouse') return schemas.trueNames(actor, object)
      if (object.name === '') return object
      const id = await warehouses.idOf(actor.accountId, object.name)
      return id === null ? null : { ...object, name: id }
    },

    async present(accountId: string, objects: readonly AccessObject[]): Promise<AccessObject[]> {
      const ids = objects.flatMap(({ type, name }) => (type === 'warehouse' && name !== '' ? [name] : []))
      const names = ids.length === 0 ? new Map<string, string>() : await warehouses.namesOf(accountId, ids)
      return objects.map((object) =>
        object.type === 'warehouse' ? { ...object, name: names.get(object.name) ?? object.name } : object,
      )
    },
  }
}
