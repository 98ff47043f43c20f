import { org } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Orgs } from './service.ts'
import type { Trials } from './trials.ts'

export const orgCalls = (orgs: Orgs, trials: Trials) =>
  implement(org, {
    detail: ({ actor }) => orgs.detail(actor),
    listAccount: async ({ actor }, { notFilterDeleted }) => ({
      accounts: await orgs.list(actor, notFilterDeleted),
    }),
    accountDetail: ({ actor }, { accountId }) => orgs.accountDetail(actor, accountId),
    createAccount: async (from, input) => ({ accountId: await orgs.createByUser(from, input) }),
    releaseAccount: (from, { accountId, phrase }) => orgs.askForRelease(from, accountId, phrase),
    confirmRelease: (from, { token }) => orgs.confirmRelease(from, token),
    freeTrialContract: async ({ actor }) => ({ trial: await trials.of(actor) }),
  })
