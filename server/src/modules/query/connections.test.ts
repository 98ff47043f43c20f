import { LIMITS } from '@boathouse/contract'
import { expect, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { actorWith } from '../../testing/actor.ts'
import { startApp } from '../../testing/start-app.ts'
import { createConnections } from './connections.ts'
import { createQueryStore } from './store.ts'

test('of many that open a connection at the same moment, no more get one than an account has [API-27]', async () => {
  const { accountId, clock, store } = await startApp()
  const { user_id: userId } = await store.db.selectFrom('users').select('user_id').executeTakeFirstOrThrow()
  const connections = createConnections({ store: createQueryStore(store.db), clock })
  const open = () =>
    connections
      .resolve(
        { ...actorWith(accountId), userId },
        { connectionId: 0, previousConnectionId: 0, clientId: 'test' },
      )
      .then(
        () => 'opened',
        (error: unknown) => (error instanceof AppError ? `${error.code}: ${error.message}` : error),
      )
  const asked = LIMITS.connectionsPerAccount + 20
  const answers = await Promise.all(Array.from({ length: asked }, open))
  expect(answers.filter((answer) => answer === 'opened')).toHaveLength(LIMITS.connectionsPerAccount)
  expect(answers.filter((answer) => answer === 'ConnectionLimit: Reach limit of connections')).toHaveLength(
    20,
  )
})
