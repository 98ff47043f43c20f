import { quota } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Quotas } from './service.ts'

export const quotaCalls = (quotas: Quotas) =>
  implement(quota, {
    own: ({ actor }) => quotas.own(actor),
    account: ({ actor }) => quotas.account(actor),
  })
