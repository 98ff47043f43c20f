import { editor, type Schedule, schedule as calls, type Sent } from '@boathouse/contract'
import { expect } from 'vitest'
import { MINUTES } from './fake-clock.ts'
import type { TestUser } from './start-app.ts'
import { setUp } from './view-kit.ts'

export async function savedQuery(who: TestUser, sql: string, name = 'boats'): Promise<string> {
  const { data } = await who.call(editor.createTab, { tabName: name, sql })
  return data.tabId
}

type Draft = Partial<Sent<typeof calls.save>>

/** The whole server, its administrator, boats, and what schedules need. */
export async function setUpSchedules(settings: Record<string, string> = {}) {
  const set = await setUp({ engine: 'embedded' }, settings)
  const { app } = set
  return {
    ...set,
    /** Every five minutes, unless it is said otherwise. */
    async schedule(who: TestUser, sql: string, draft: Draft = {}): Promise<Schedule & { tabId: string }> {
      const tabId = draft.tabId ?? (await savedQuery(who, sql))
      const saved = await who.call(calls.save, { cron: '*/5 * * * *', timeZone: 'UTC', ...draft, tabId })
      expect(saved.message).toBe('')
      return saved.data.schedule
    },
    async pass(minutes: number): Promise<void> {
      app.clock.advance(minutes * MINUTES)
      await app.schedules.runDue()
      await app.schedules.idle()
    },
    runsOf: async (who: TestUser, { scheduleId }: Schedule) =>
      (await who.call(calls.runs, { scheduleId })).data.runs,
  }
}
