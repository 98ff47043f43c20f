import type { Kysely, Transaction } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { OPERATOR, SERVICE } from '../audit/author.ts'
import { recordAudit } from '../audit/record.ts'
import { openAccount, openOrganisation, ORG_IDENTITIES, ORG_SOURCES } from '../org/open-account.ts'
import { insertSavedQueries } from '../editor/saved-queries-store.ts'
import type { SavedQueryDraft } from '../samples/saved-queries.ts'
import { fillInAddress } from '../user/address-change.ts'
import { findUser, setPassword } from '../user/people-store.ts'

const FACT = 'first-start'

/** How far the first start came; each step is repeated until it is written here. */
export interface FirstStartFact {
  readonly accountId: string
  readonly user: string
  readonly samples: 'pending' | 'made' | 'not wanted'
  readonly password: 'pending' | 'told'
}

export interface DemoDraft {
  readonly region: string
  readonly csp: string
  readonly passwordHash: string
  readonly email?: string | undefined
  readonly savedQueries: readonly SavedQueryDraft[]
  /** The account's id is known when it is opened. */
  readonly fact: Omit<FirstStartFact, 'accountId'>
  readonly at: Date
}

async function openDemo(trx: Transaction<Schema>, draft: DemoDraft) {
  const { region, csp, passwordHash, email = null, fact, at } = draft
  const organisationId = await openOrganisation(trx, {
    name: 'Demo',
    identity: ORG_IDENTITIES.Company,
    source: ORG_SOURCES.SignUp,
    at,
  })
  return openAccount(trx, {
    organisationId,
    name: 'demo',
    isRoot: true,
    csp,
    region,
    edition: 'standard',
    administrator: { name: fact.user, email, passwordHash },
    begins: 'ready',
    wantsSamples: false,
    by: SERVICE,
    at,
  })
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
    createDemo: (draft: DemoDraft): Promise<FirstStartFact> =>
      db.transaction().execute(async (trx) => {
        const opened = await openDemo(trx, draft)
        await insertSavedQueries(trx, { ...opened, at: draft.at }, draft.savedQueries)
        const fact = { ...draft.fact, accountId: opened.accountId }
        await trx
          .insertInto('instance_facts')
          .values({ key: FACT, value: JSON.stringify(fact) })
          .execute()
        return fact
      }),

    async setPassword(accountId: string, name: string, password: { hash: string; at: Date }): Promise<void> {
      const user = await findUser(db, accountId, name)
      if (user) await setPassword(db, user.user_id, password)
    },

    /** Null: none. Undefined: there is no such user any more. */
    emailOf: async (accountId: string, name: string): Promise<string | null | undefined> =>
      (await findUser(db, accountId, name))?.email,

    /** Of an administrator who has none; one that they have stays. */
    fillInEmail: (accountId: string, name: string, { email, at }: { email: string; at: Date }) =>
      db.transaction().execute(async (trx) => {
        const user = await findUser(trx, accountId, name)
        const audit = user && (await fillInAddress(trx, { userId: user.user_id, email }))
        if (audit) await recordAudit(trx, { accountId, at, by: OPERATOR, ...audit })
      }),
  }
}

export type FirstStartStore = ReturnType<typeof createFirstStartStore>
