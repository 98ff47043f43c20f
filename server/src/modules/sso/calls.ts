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
    confirmationLink: (from, { token }) => service.confirmationLink(from, token),
    confirm: (from, input) => service.confirm(from, input),
    connection: ({ actor }) => service.connection(actor),
    connect: (from, { password }) => service.connect(from, password),
    finishConnect: async (from, input) => {
      await service.finishConnect(from, input)
      return {}
    },
    disconnect: async (from) => {
      await service.disconnect(from)
      return {}
    },
  })
