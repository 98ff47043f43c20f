import { randomUUID } from 'node:crypto'
import { BUILT_IN_ROLES, LIFE_CYCLE_AVAILABLE, SHELL_STATES } from '@boathouse/contract'
import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import type { SavedQueryDraft } from '../samples/saved-queries.ts'

const FACT = 'first-start'

/** How far the first start came; each step is repeated until it is written here. */
export interface FirstStartFact {
  readonly accountId: string
  readonly user: string
  readonly samples: 'pending' | 'made' | 'not wanted'
  readonly password: 'pending' | 'told'
}

export interface DemoDraft {
  readonly accountId: string
  readonly region: string
  readonly user: string
  readonly passwordHash: string
  readonly savedQueries: readonly SavedQueryDraft[]
  readonly fact: FirstStartFact
  readonly at: Date
}

async function insertAccount(trx: Transaction<Schema>, draft: DemoDraft): Promise<void> {
  const organisationId = randomUUID()
  await trx
    .insertInto('organisations')
    .values({ organisation_id: organisationId, name: 'Demo', identity: 1, source: 1, created_at: draft.at })
    .execute()
  await trx
    .insertInto('accounts')
    .values({
      account_id: draft.accountId,
      organisation_id: organisationId,
      name: 'demo',
      csp: 'local',
      region: draft.region,
      edition: 'standard',
      state: LIFE_CYCLE_AVAILABLE,
      shell_state: SHELL_STATES.Active,
      creator: draft.user,
      created_at: draft.at,
    })
    .execute()
  await trx.updateTable('organisations').set({ root_account_id: draft.accountId }).execute()
  await trx
    .insertInto('warehouses')
    .values({
      warehouse_id: randomUUID(),
      account_id: draft.accountId,
      name: 'default_warehouse',
      description: 'Used when no other warehouse is chosen',
      size: 'Small',
      auto_suspend_minutes: 5,
      auto_resume: true,
      status: 'Suspended',
      created_by: draft.user,
      created_at: draft.at,
    })
    .execute()
}

async function insertAdministrator(trx: Transaction<Schema>, draft: DemoDraft): Promise<string> {
  const userId = randomUUID()
  await trx
    .insertInto('users')
    .values({
      user_id: userId,
      account_id: draft.accountId,
      name: draft.user,
      password_hash: draft.passwordHash,
      is_org_admin: true,
      created_at: draft.at,
      password_changed_at: draft.at,
    })
    .execute()
  await trx
    .insertInto('user_roles')
    .values(BUILT_IN_ROLES.map((role) => ({ user_id: userId, role, active: true, granted_at: draft.at })))
    .execute()
  return userId
}

async function insertSavedQueries(trx: Transaction<Schema>, userId: string, draft: DemoDraft): Promise<void> {
  const folders = new Map(
    [...new Set(draft.savedQueries.map((query) => query.folder))].map((name) => [name, randomUUID()]),
  )
  const owner = { account_id: draft.accountId, user_id: userId, created_at: draft.at }
  for (const [name, folderId] of folders)
    await trx
      .insertInto('editor_folders')
      .values({ ...owner, folder_id: folderId, name })
      .execute()
  for (const [position, query] of draft.savedQueries.entries())
    await trx
      .insertInto('editor_tabs')
      .values({
        ...owner,
        tab_id: randomUUID(),
        folder_id: folders.get(query.folder) ?? null,
        name: query.name,
        catalog: 'default_catalog',
        database_name: query.database,
        sql: query.sql,
        position,
        updated_at: draft.at,
      })
      .execute()
}

export function createFirstStartStore(db: Kysely<Schema>) {
  return {
    async fact(): Promise<FirstStartFact | undefined> {
      const row = await db
        .selectFrom('instance_facts')
        .select('value')
        .where('key', '=', FACT)
        .executeTakeFirst()
      return row?.value as FirstStartFact | undefined
    },

    setFact: (fact: FirstStartFact) =>
      db
        .updateTable('instance_facts')
        .set({ value: JSON.stringify(fact) })
        .where('key', '=', FACT)
        .execute(),

    /** The demo organisation and the fact that it exists, or neither. */
    createDemo: (draft: DemoDraft): Promise<void> =>
      db.transaction().execute(async (trx) => {
        await insertAccount(trx, draft)
        const userId = await insertAdministrator(trx, draft)
        await insertSavedQueries(trx, userId, draft)
        await trx
          .insertInto('instance_facts')
          .values({ key: FACT, value: JSON.stringify(draft.fact) })
          .execute()
      }),

    setPassword: (accountId: string, name: string, change: { hash: string; at: Date }) =>
      db
        .updateTable('users')
        .set({ password_hash: change.hash, password_changed_at: change.at })
        .where('account_id', '=', accountId)
        .where('name', '=', name)
        .execute(),
  }
}

export type FirstStartStore = ReturnType<typeof createFirstStartStore>
