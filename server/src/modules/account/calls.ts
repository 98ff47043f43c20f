import { account } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Accounts } from './service.ts'

export const accountCalls = (accounts: Accounts) =>
  implement(account, {
    locate: (from, { accountId }) => accounts.locate(from, accountId),
    details: ({ actor }) => accounts.details(actor),
  })
