import { type AccessObject, DEFAULT_CATALOG, objectOf } from '@boathouse/contract'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { BoundedMap } from '../../../kernel/bounded-map.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Authority } from '../../access/authority.ts'

/** Where a load goes, as its sender names it. */
export interface StreamTarget {
  readonly catalog: string | null
  readonly database: string
  readonly table: string
}

/** The same, found. */
export interface FoundTarget {
  readonly table: { readonly catalog: string; readonly database: string; readonly name: string }
  readonly warehouse: { readonly id: string; readonly name: string }
}

export interface TargetParts {
  readonly authority: Pick<Authority, 'require'>
  /** Under its true name; null where there is none. */
  readonly resolve: (actor: Actor, object: AccessObject) => Promise<AccessObject | null>
  readonly warehouses: {
    /** Those this user may use. */
    list(actor: Actor): Promise<readonly { warehouse_id: string; name: string }[]>
  }
  readonly clock: Clock
}

const DEFAULT_WAREHOUSE = 'default_warehouse'
/** What was found is found again when the load runs: this is only about what can be refused before. */
const KNOWN_MS = 5_000
const MOST_KNOWN = 10_000

/** A warehouse that somebody may use, by its name; null: the default one. */
export function createFindWarehouse({ warehouses }: Pick<TargetParts, 'warehouses'>) {
  return async function find(actor: Actor, named: string | null): Promise<FoundTarget['warehouse']> {
    const name = named ?? DEFAULT_WAREHOUSE
    const found = (await warehouses.list(actor)).find((one) => one.name.toLowerCase() === name.toLowerCase())
    if (!found)
      throw new AppError(
        'NotFound',
        `warehouse: There is no warehouse ${name} that you may use. Name another one.`,
      )
    return { id: found.warehouse_id, name: found.name }
  }
}

export type FindWarehouse = ReturnType<typeof createFindWarehouse>

/** Finds table and warehouse of a load, and refuses who may not insert. */
export function createTargets({ authority, resolve, warehouses, clock }: TargetParts) {
  const findWarehouse = createFindWarehouse({ warehouses })
  const known = new BoundedMap<{ readonly until: number; readonly found: Promise<FoundTarget> }>(MOST_KNOWN)

  /** Who may not insert does not learn whether there is such a table. */
  async function tableOf(actor: Actor, { catalog, database, table }: StreamTarget) {
    // No name has one, and no statement can hold it.
    if ([catalog, database, table].some((name) => name?.includes('\0')))
      throw new AppError(
        'BadInput',
        'The address names a catalog, database or table with a NUL character (%00). Remove it.',
      )
    const named = objectOf('table', { catalog: catalog ?? DEFAULT_CATALOG, database, name: table })
    const found = await resolve(actor, named)
    await authority.require(actor, { privilege: 'INSERT', object: found ?? named })
    if (!found)
      throw new AppError('NotFound', `There is no table ${database}.${table}.`, { detail: 'missing-table' })
    return { catalog: found.catalog, database: found.database, name: found.name }
  }

  const look = async (
    actor: Actor,
    target: StreamTarget,
    warehouse: string | null,
  ): Promise<FoundTarget> => ({
    table: await tableOf(actor, target),
    warehouse: await findWarehouse(actor, warehouse),
  })

  return async function find(
    actor: Actor,
    target: StreamTarget,
    warehouse: string | null,
  ): Promise<FoundTarget> {
    const { accountId, userId } = actor
    const key = JSON.stringify([accountId, userId, target, warehouse])
    const now = clock.now().getTime()
    const before = known.get(key)
    // Loads that come while it is looked for wait for that: a thousand of them would each ask the engine.
    const shared = before && before.until > now ? await before.found.catch(() => null) : null
    if (shared) {
      await authority.require(actor, { privilege: 'INSERT', object: objectOf('table', shared.table) })
      return shared
    }
    const found = look(actor, target, warehouse)
    known.set(key, { until: now + KNOWN_MS, found }, 1)
    // A failure is only of the load that it was found for: the next one looks itself.
    found.catch(() => known.get(key)?.found === found && known.delete(key))
    return found
  }
}
