import { audit, type Input, type Output } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { AuditLog } from './service.ts'

/** The log of sign-ins, as the module that keeps it has it. */
interface SignInLog {
  list(accountId: string, asked: Input<typeof audit.signIns>): Promise<Output<typeof audit.signIns>>
}

export const auditCalls = (log: AuditLog, signIns: SignInLog) =>
  implement(audit, {
    signIns: ({ actor }, asked) => signIns.list(actor.accountId, asked),
    list: ({ actor }, asked) => log.list(actor.accountId, asked),
    objectTypes: async ({ actor }) => ({ objectTypes: await log.objectTypes(actor.accountId) }),
    detail: ({ actor }, { number }) => log.detail(actor.accountId, number),
    verify: ({ actor }, sofar) => log.verify(actor.accountId, sofar),
    texts: ({ actor }, asked) => log.texts(actor.accountId, asked),
  })
