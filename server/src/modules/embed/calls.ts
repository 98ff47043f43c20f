import { embed as calls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Embeds } from './service.ts'

export const embedCalls = (embeds: Embeds) =>
  implement(calls, {
    changeSettings: async (from, { isAllowed }) => {
      await embeds.changeSettings(from, isAllowed)
      return {}
    },
    listAll: ({ actor }) => embeds.listAll(actor),
    list: ({ actor }, { dashboardId }) => embeds.list(actor, dashboardId),
    create: (from, draft) => embeds.create(from, draft),
    revoke: async (from, { embedId }) => {
      await embeds.revoke(from, embedId)
      return {}
    },
    open: (from, came) => embeds.open(from, came),
    rows: (from, came) => embeds.rows(from, came),
  })
