import { usage as calls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Usage } from './service.ts'

export const usageCalls = (usage: Usage) =>
  implement(calls, {
    summary: ({ actor }, question) => usage.summary(actor, question),
    byUser: ({ actor }, question) => usage.byUser(actor, question),
    byStatement: ({ actor }, question) => usage.byStatement(actor, question),
    details: ({ actor }, question) => usage.details(actor, question),
  })
