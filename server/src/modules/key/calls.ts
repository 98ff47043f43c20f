import { contract } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Keys } from './service.ts'

export const keyCalls = (keys: Keys) =>
  implement(contract.key, {
    list: async (from, { user }) => ({ keys: await keys.list(keys.asUser(from, user)) }),
    create: (from, { user, ...draft }) => keys.create(keys.asUser(from, user), draft),
    rotate: (from, { user, ...rotation }) => keys.rotate(keys.asUser(from, user), rotation),
    revoke: async (from, { user, keyId }) => {
      await keys.revoke(keys.asUser(from, user), keyId)
      return {}
    },
  })
