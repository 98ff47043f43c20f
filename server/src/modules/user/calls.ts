import { user } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Users } from './service.ts'

export const userCalls = (users: Users) =>
  implement(user, {
    login: (from, input) => users.login(from, input),
    logout: async ({ actor }) => {
      await users.logout(actor)
      return {}
    },
    info: ({ actor }) => users.info(actor),
    accountInfo: async ({ actor }) => {
      const { region, accountId, accountState } = await users.info(actor)
      return { region, accountId, accountState }
    },
  })
