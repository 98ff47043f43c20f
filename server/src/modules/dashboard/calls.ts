import { dashboard as calls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Dashboards } from './service.ts'

export const dashboardCalls = (dashboards: Dashboards) =>
  implement(calls, {
    list: ({ actor }, page) => dashboards.list(actor, page),
    create: async (from, { name }) => ({ dashboard: await dashboards.create(from, name) }),
    detail: async ({ actor }, { dashboardId }) => ({
      dashboard: await dashboards.detail(actor, dashboardId),
    }),
    save: async (from, draft) => ({ dashboard: await dashboards.save(from, draft) }),
    addTile: async (from, draft) => ({ dashboard: await dashboards.addTile(from, draft) }),
    changeSettings: async (from, draft) => ({ dashboard: await dashboards.changeSettings(from, draft) }),
    delete: async (from, { dashboardId }) => {
      await dashboards.delete(from, dashboardId)
      return {}
    },
    results: ({ actor }, wanted) => dashboards.results(actor, wanted),
    refresh: ({ actor }, wanted) => dashboards.refresh(actor, wanted),
    rows: ({ actor }, wanted) => dashboards.rows(actor, wanted),
  })
