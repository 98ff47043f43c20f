import { budget } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Budgets } from './service.ts'

export const budgetCalls = (budgets: Budgets) =>
  implement(budget, {
    list: ({ actor }) => budgets.list(actor),
    set: async (from, draft) => ({ budgetId: await budgets.set(from, draft) }),
    delete: async (from, { budgetId }) => {
      await budgets.delete(from, budgetId)
      return {}
    },
  })
