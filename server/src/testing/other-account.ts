import type { BuiltInRole } from '@boathouse/contract'
import type { Clock } from '../kernel/clock.ts'
import { SERVICE } from '../modules/audit/author.ts'
import { openAccount } from '../modules/org/open-account.ts'
import type { Store } from '../store/store.ts'
import { hashForTests } from './test-password.ts'
import type { TestUsers } from './test-users.ts'

const OTHER_ADMIN = 'harbourmaster'

interface OtherAccountOptions {
  readonly store: Store
  readonly users: Pick<TestUsers, 'addUser' | 'signIn'>
  /** The first account, of the same organisation. */
  readonly accountId: string
  readonly region: string
  readonly clock: Clock
}

/** A second, normal account of the same organisation, of lake edition, opened when it is first asked for. */
export function createOtherAccount({ store, users, accountId, region, clock }: OtherAccountOptions) {
  let other: Promise<string> | undefined

  async function open(): Promise<string> {
    const hash = await hashForTests()
    return store.transaction(async (trx) => {
      const { organisation_id } = await trx
        .selectFrom('accounts')
        .select('organisation_id')
        .where('account_id', '=', accountId)
        .executeTakeFirstOrThrow()
      const opened = await openAccount(trx, {
        organisationId: organisation_id,
        name: 'harbour',
        isRoot: false,
        csp: 'local',
        region,
        edition: 'lake',
        administrator: { name: OTHER_ADMIN, email: 'master@harbour.example', passwordHash: hash },
        begins: 'ready',
        wantsSamples: false,
        by: SERVICE,
        at: clock.now(),
      })
      return opened.accountId
    })
  }

  return async () => {
    const id = await (other ??= open())
    return {
      accountId: id,
      admin: () => users.signIn(OTHER_ADMIN, id),
      user: (roles: readonly BuiltInRole[] = []) => users.addUser(id, roles),
    }
  }
}
