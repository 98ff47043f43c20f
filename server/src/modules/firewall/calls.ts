import { firewall } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Firewall } from './service.ts'

export const firewallCalls = (service: Firewall) =>
  implement(firewall, {
    rules: (from) => service.rules(from),
    createRule: (from, draft) => service.create(from, draft),
    updateRule: async (from, { ruleId, ...change }) => ({
      trial: await service.update(from, ruleId, change),
    }),
    deleteRule: async (from, { ruleId }) => ({ trial: await service.delete(from, ruleId) }),
    confirmChange: async (from) => {
      await service.confirm(from)
      return {}
    },
    takeBackChange: async (from) => {
      await service.takeBackNow(from)
      return {}
    },
  })
