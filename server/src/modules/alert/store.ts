import { type Insertable, type Kysely, type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Schema } from '../../store/schema.ts'

export type RuleRow = Selectable<Schema['alert_rules']>

/** With the names of now. That of a schedule is changed with the schedule alone. */
const toldRules = (db: Kysely<Schema>, accountId: string) =>
  db
    .selectFrom('alert_rules')
    .leftJoin('warehouses', (join) =>
      join
        .onRef('warehouses.warehouse_id', '=', 'alert_rules.warehouse_id')
        .onRef('warehouses.account_id', '=', 'alert_rules.account_id'),
    )
    .selectAll('alert_rules')
    .select([
      'warehouses.name as warehouse',
      sql<string[]>`array(select users.name from users
        where users.user_id = any(alert_rules.user_ids) and users.account_id = alert_rules.account_id
        order by users.name)`.as('users'),
    ])
    .where('alert_rules.account_id', '=', accountId)
    .where('alert_rules.schedule_id', 'is', null)

export type ToldRule = Awaited<ReturnType<ReturnType<typeof createRuleStore>['list']>>[number]

export function createRuleStore(db: Kysely<Schema>) {
  return {
    list: (accountId: string) =>
      toldRules(db, accountId)
        .orderBy(sql`lower(alert_rules.name)`)
        .execute(),

    find: (accountId: string, ruleId: string, on: Kysely<Schema> = db) =>
      toldRules(on, accountId).where('alert_rules.rule_id', '=', ruleId).executeTakeFirst(),

    /** Locks the account's row, so that rules of the same moment are counted one after the other. */
    async countAlone(trx: Transaction<Schema>, accountId: string): Promise<number> {
      await trx
        .selectFrom('accounts')
        .select('account_id')
        .where('account_id', '=', accountId)
        .forNoKeyUpdate()
        .execute()
      const { count } = await trx
        .selectFrom('alert_rules')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('schedule_id', 'is', null)
        .executeTakeFirstOrThrow()
      return count
    },

    insert: (trx: Transaction<Schema>, row: Insertable<Schema['alert_rules']>) =>
      trx.insertInto('alert_rules').values(row).execute(),

    lock: (trx: Transaction<Schema>, accountId: string, ruleId: string) =>
      trx
        .selectFrom('alert_rules')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('rule_id', '=', ruleId)
        .where('schedule_id', 'is', null)
        .forUpdate()
        .executeTakeFirst(),

    update: (trx: Transaction<Schema>, ruleId: string, change: Updateable<Schema['alert_rules']>) =>
      trx.updateTable('alert_rules').set(change).where('rule_id', '=', ruleId).execute(),

    delete: (trx: Transaction<Schema>, ruleId: string) =>
      trx.deleteFrom('alert_rules').where('rule_id', '=', ruleId).execute(),

    /** Ids of those of these names that can be mailed. */
    async mailable(db: Kysely<Schema>, accountId: string, names: readonly string[]) {
      if (names.length === 0) return []
      return db
        .selectFrom('users')
        .select(['user_id', 'name'])
        .where('account_id', '=', accountId)
        .where('email', 'is not', null)
        .where(
          sql<string>`lower(name)`,
          'in',
          names.map((name) => name.toLowerCase()),
        )
        .execute()
    },

    async hasWarehouse(db: Kysely<Schema>, accountId: string, warehouseId: string): Promise<boolean> {
      const found = await db
        .selectFrom('warehouses')
        .select('warehouse_id')
        .where('account_id', '=', accountId)
        .where('warehouse_id', '=', warehouseId)
        .executeTakeFirst()
      return found !== undefined
    },

    /** By another key than the one with this prefix. */
    sealedByOthers: (newestPrefix: string, limit: number) =>
      db
        .selectFrom('alert_rules')
        .select(['rule_id', 'secret'])
        .where('secret', 'is not', null)
        .where('secret', 'not like', `${newestPrefix}%`)
        .limit(limit)
        .execute(),

    /** Only if it has not changed since. */
    reseal: (ruleId: string, before: string, secret: string) =>
      db
        .updateTable('alert_rules')
        .set({ secret })
        .where('rule_id', '=', ruleId)
        .where('secret', '=', before)
        .execute(),
  }
}

export type RuleStore = ReturnType<typeof createRuleStore>
