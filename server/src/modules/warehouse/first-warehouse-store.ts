import { randomUUID } from 'node:crypto'
import { DEFAULT_WAREHOUSE_NAME } from '@boathouse/contract'
import type { Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'

interface FirstWarehouse {
  readonly accountId: string
  /** Null: the home engine. */
  readonly engine: string | null
  readonly createdBy: string
  readonly at: Date
}

/** The warehouse that an account has from the start. */
export const insertFirstWarehouse = (
  trx: Transaction<Schema>,
  { accountId, engine, createdBy, at }: FirstWarehouse,
) =>
  trx
    .insertInto('warehouses')
    .values({
      warehouse_id: randomUUID(),
      account_id: accountId,
      name: DEFAULT_WAREHOUSE_NAME,
      description: 'Used when no other warehouse is chosen',
      size: 'Small',
      engine,
      auto_suspend_minutes: 5,
      auto_resume: true,
      status: 'Suspended',
      created_by: createdBy,
      created_at: at,
    })
    .execute()
