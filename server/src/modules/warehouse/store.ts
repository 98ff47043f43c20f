import { LIMITS, type WarehouseActivity, type WarehouseState } from '@boathouse/contract'
import { type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import { AppError } from '../../kernel/app-error.ts'
import { errorCode } from '../../store/error-code.ts'
import type { Schema } from '../../store/schema.ts'
import { type AuditEvent, recordAudit } from '../audit/record.ts'

const UNIQUE_VIOLATION = '23505'

export type WarehouseRow = Selectable<Schema['warehouses']>
export type WarehouseChange = Updateable<Schema['warehouses']> & { status?: WarehouseState }

/** A line of the activity list about one warehouse. */
export interface Activity {
  readonly action: WarehouseActivity['action']
  readonly detail: string
  readonly result: WarehouseActivity['result']
  readonly actor: string
  readonly at: Date
  /** Of what somebody changed: written to the audit log together with the change. */
  readonly audit?: AuditFacts
}

/** What changed of a warehouse, and who did it. */
export type AuditFacts = Pick<AuditEvent, 'by' | 'action' | 'before' | 'after'>

type Named = Pick<WarehouseRow, 'account_id' | 'warehouse_id' | 'name'>

async function nameTaken<T>(name: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (errorCode(error) !== UNIQUE_VIOLATION) throw error
    throw new AppError('NameTaken', `A warehouse named ${name} already exists. Choose another name.`, {
      cause: error,
    })
  }
}

export async function addActivity(
  trx: Transaction<Schema>,
  warehouse: Named,
  { audit, ...activity }: Activity,
): Promise<void> {
  await trx
    .insertInto('warehouse_activity')
    .values({
      account_id: warehouse.account_id,
      warehouse_id: warehouse.warehouse_id,
      warehouse_name: warehouse.name,
      ...activity,
    })
    .execute()
  if (audit) await recordAudit(trx, auditOf(warehouse, audit, activity.at))
}

export const auditOf = (warehouse: Named, facts: AuditFacts, at: Date): AuditEvent => ({
  accountId: warehouse.account_id,
  at,
  ...facts,
  object: { type: 'warehouse', id: warehouse.warehouse_id, name: warehouse.name },
})

export const setWarehouse = (db: Kysely<Schema>, warehouseId: string, change: WarehouseChange) =>
  db
    .updateTable('warehouses')
    .set(change)
    .where('warehouse_id', '=', warehouseId)
    .returningAll()
    .executeTakeFirst()

/** WH-31: the account's row is locked, so that two creations at the same moment cannot both be the tenth. */
async function insertWithinLimit(trx: Transaction<Schema>, row: WarehouseRow): Promise<WarehouseRow> {
  await trx
    .selectFrom('accounts')
    .select('account_id')
    .where('account_id', '=', row.account_id)
    .forNoKeyUpdate()
    .execute()
  const { count } = await trx
    .selectFrom('warehouses')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', row.account_id)
    .executeTakeFirstOrThrow()
  if (count >= LIMITS.warehousesPerAccount)
    throw new AppError(
      'LimitReached',
      `An account has at most ${LIMITS.warehousesPerAccount} warehouses. Delete one that is no longer needed, then create this one.`,
    )
  return trx.insertInto('warehouses').values(row).returningAll().executeTakeFirstOrThrow()
}

export function createWarehouseStore(db: Kysely<Schema>) {
  return {
    list: (accountId: string) =>
      db.selectFrom('warehouses').selectAll().where('account_id', '=', accountId).orderBy('name').execute(),

    all: () => db.selectFrom('warehouses').selectAll().execute(),

    /** Those among them that are to be suspended when they are idle. */
    suspendable: async (warehouseIds: readonly string[]) =>
      warehouseIds.length === 0
        ? []
        : db
            .selectFrom('warehouses')
            .selectAll()
            .where('warehouse_id', 'in', [...warehouseIds])
            .where('auto_suspend_minutes', 'is not', null)
            .execute(),

    find: (accountId: string, warehouseId: string) =>
      db
        .selectFrom('warehouses')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('warehouse_id', '=', warehouseId)
        .executeTakeFirst(),

    findByName: (accountId: string, name: string) =>
      db
        .selectFrom('warehouses')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(sql<string>`lower(name)`, '=', name.toLowerCase())
        .executeTakeFirst(),

    /** With what else must be there once it is. */
    insert: (row: WarehouseRow, also: (trx: Transaction<Schema>) => Promise<void>): Promise<WarehouseRow> =>
      nameTaken(
        row.name,
        db.transaction().execute(async (trx) => {
          const inserted = await insertWithinLimit(trx, row)
          await also(trx)
          return inserted
        }),
      ),

    set: (warehouseId: string, change: WarehouseChange) => setWarehouse(db, warehouseId, change),

    /** A change and the activity that records it, or neither. */
    conclude: (warehouse: WarehouseRow, change: WarehouseChange, activity: Activity) =>
      db.transaction().execute(async (trx) => {
        const set = await setWarehouse(trx, warehouse.warehouse_id, change)
        await addActivity(trx, warehouse, activity)
        return set
      }),

    edit: (warehouse: WarehouseRow, change: WarehouseChange, activity: Activity) =>
      nameTaken(
        change.name ?? warehouse.name,
        db.transaction().execute(async (trx) => {
          const edited = await setWarehouse(trx, warehouse.warehouse_id, change)
          await addActivity(trx, { ...warehouse, name: change.name ?? warehouse.name }, activity)
          return edited
        }),
      ),

    delete: (warehouse: WarehouseRow, activity: Activity) =>
      db.transaction().execute(async (trx) => {
        await trx.deleteFrom('warehouses').where('warehouse_id', '=', warehouse.warehouse_id).execute()
        await addActivity(trx, warehouse, activity)
      }),

    /** Newest first, of warehouses that are there and of those that were. */
    activity: (accountId: string, warehouseId: string, page: { before: number | null; limit: number }) =>
      db
        .selectFrom('warehouse_activity')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('warehouse_id', '=', warehouseId)
        .$if(page.before !== null, (query) => query.where('activity_id', '<', page.before ?? 0))
        .orderBy('activity_id', 'desc')
        .limit(page.limit)
        .execute(),

    account: (accountId: string) =>
      db
        .selectFrom('accounts')
        .select(['edition', 'engines', 'region', 'shell_state'])
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow(),
  }
}

export type WarehouseStore = ReturnType<typeof createWarehouseStore>
