import { sso } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Sso } from './service.ts'

export const ssoCalls = (service: Sso) =>
  implement(sso, {
    settings: ({ actor }) => service.settings(actor),
    saveSettings: async (from, draft) => {
      await service.save(from, draft)
      return {}
    },
    deleteSettings: async (from) => {
      await service.remove(from)
      return {}
    },
    offer: async (from, { accountId }) => ({ enabled: await service.offer(from, accountId) }),
    begin: (from, { accountId }) => service.begin(from, accountId),
    finish: (from, input) => service.finish(from, input),
  })
