import { contract } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Alerts } from './service.ts'

export const alertCalls = ({ rules, ...alerts }: Alerts) =>
  implement(contract.alert, {
    list: async ({ actor }) => ({ rules: await rules.list(actor) }),
    create: (from, draft) => rules.create(from, draft),
    update: (from, change) => rules.update(from, change),
    delete: async (from, { ruleId }) => {
      await rules.delete(from, ruleId)
      return {}
    },
    test: async ({ actor }, { ruleId }) => ({ delivery: await alerts.test(actor, ruleId) }),
    deliveries: ({ actor }, page) => alerts.deliveries(actor, page),
    redeliver: async ({ actor }, { deliveryId }) => ({ delivery: await alerts.redeliver(actor, deliveryId) }),
  })
