import { iamRoleCalls as calls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { IamRoles } from './service.ts'

export const iamRoleCalls = (roles: IamRoles) =>
  implement(calls, {
    iamRoles: ({ actor }) => roles.list(actor),
    registerIamRole: (from, { roleArn }) => roles.register(from, roleArn),
    deleteIamRole: async (from, { roleArn }) => {
      await roles.delete(from, roleArn)
      return {}
    },
    checkIamRole: ({ actor }, { roleArn }) => roles.check(actor, roleArn),
  })
