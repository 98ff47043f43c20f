import { audit } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { AuditLog } from './service.ts'

export const auditCalls = (log: AuditLog) =>
  implement(audit, {
    list: ({ actor }, asked) => log.list(actor.accountId, asked),
    objectTypes: async ({ actor }) => ({ objectTypes: await log.objectTypes(actor.accountId) }),
    detail: ({ actor }, { number }) => log.detail(actor.accountId, number),
    verify: ({ actor }, sofar) => log.verify(actor.accountId, sofar),
    texts: ({ actor }, asked) => log.texts(actor.accountId, asked),
  })
