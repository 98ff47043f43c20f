import { randomUUID } from 'node:crypto'
import type { BuiltInRole, Call, Output, Sent } from '@boathouse/contract'
import type { Built } from '../build.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Store } from '../store/store.ts'
import { signedCall } from './signed-call.ts'
import { channelUrl, TestChannel } from './test-channel.ts'
import { hashForTests } from './test-password.ts'

/** As requests that are injected. */
const FROM = { requestId: 'sign-in', clientIp: '127.0.0.1', userAgent: 'lightMyRequest' }

export interface Answer<C extends Call> {
  readonly code: number
  readonly message: string
  readonly data: Output<C>
}

/** Someone signed in to the test's account. */
export interface TestUser {
  readonly name: string
  readonly accountId: string
  readonly token: string
  call<C extends Call>(call: C, input: Sent<C>): Promise<Answer<C>>
  channel(): Promise<TestChannel>
}

interface TestUsersOptions {
  readonly built: Pick<Built, 'app' | 'identity'>
  readonly store: Store
  readonly clock: Clock
}

/** Callers in tests, signed in or not. */
export function createTestUsers({ built, store, clock }: TestUsersOptions) {
  let listening: Promise<string> | undefined
  const url = (): Promise<string> => (listening ??= built.app.listen({ host: '127.0.0.1', port: 0 }))

  async function call<C extends Call>(token: string, value: C, input: Sent<C>): Promise<Answer<C>> {
    const answer = await built.app.inject(signedCall(value, input, { token, now: clock.now() }))
    return answer.json<Answer<C>>()
  }

  async function signIn(name: string, account: string): Promise<TestUser> {
    const { user_id } = await store.db
      .selectFrom('users')
      .select('user_id')
      .where('account_id', '=', account)
      .where('name', '=', name)
      .executeTakeFirstOrThrow()
    const { token } = await built.identity.users.loginAs(FROM, user_id, 'password')
    return {
      name,
      accountId: account,
      token,
      call: (value, input) => call(token, value, input),
      channel: async () => TestChannel.open(channelUrl(await url(), { token, now: clock.now() })),
    }
  }

  async function addUser(account: string, roles: readonly BuiltInRole[]): Promise<TestUser> {
    const name = `user_${randomUUID().slice(0, 8)}`
    const userId = randomUUID()
    const at = clock.now()
    await store.db
      .insertInto('users')
      .values({
        user_id: userId,
        account_id: account,
        name,
        password_hash: await hashForTests(),
        is_org_admin: false,
        created_at: at,
        password_changed_at: at,
      })
      .execute()
    for (const role of roles)
      await store.db
        .insertInto('user_roles')
        .values({ user_id: userId, role, active: true, granted_at: at })
        .execute()
    return signIn(name, account)
  }

  return { url, call, signIn, addUser }
}

export type TestUsers = ReturnType<typeof createTestUsers>
