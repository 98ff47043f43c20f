import { dashboard as calls, type Dashboard, type FilterValues, type Sent } from '@boathouse/contract'
import { expect } from 'vitest'
import type { TestUser } from './start-app.ts'
import { setUp } from './view-kit.ts'

type Draft = Partial<Sent<typeof calls.addTile>['tile']>
type Settings = Partial<Sent<typeof calls.changeSettings>['settings']>

/** The whole server, its administrator, boats, and what dashboards need. */
export async function setUpDashboards(settings: Record<string, string> = {}) {
  const set = await setUp({ engine: 'embedded' }, settings)
  const { app } = set
  return {
    ...set,
    /** With one tile. */
    async make(who: TestUser, sql: string, draft: Draft = {}): Promise<Dashboard> {
      const { dashboardId } = (await who.call(calls.create, { name: 'Fleet' })).data.dashboard
      const tile = { title: 'Boats', kind: 'table' as const, sql, ...draft }
      const added = await who.call(calls.addTile, { dashboardId, tile })
      expect(added.message).toBe('')
      return added.data.dashboard
    },
    async settle(who: TestUser, { dashboardId }: Dashboard, settings: Settings): Promise<void> {
      const usual = { viewers: 'account' as const, runsAs: 'owner' as const, schedule: null }
      const changed = await who.call(calls.changeSettings, {
        dashboardId,
        settings: { ...usual, ...settings },
      })
      expect(changed.message).toBe('')
    },
    /** Refreshes all tiles and waits for their ends. */
    async refresh(who: TestUser, { dashboardId }: Dashboard, values: FilterValues = {}) {
      const begun = await who.call(calls.refresh, { dashboardId, values })
      expect(begun.message).toBe('')
      await app.dashboards.idle()
      return (await who.call(calls.results, { dashboardId, values })).data.results
    },
    async rowsOf(who: TestUser, { dashboardId }: Dashboard, values: FilterValues = {}) {
      const { results } = (await who.call(calls.results, { dashboardId, values })).data
      const runId = results[0]?.runId
      if (!runId) return null
      const answer = await who.call(calls.rows, { dashboardId, runId })
      return answer.message === '' ? answer.data.rows : answer.message
    },
  }
}
