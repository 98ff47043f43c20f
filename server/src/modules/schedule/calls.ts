import { schedule as calls } from '@boathouse/contract'
import { implement } from '../../kernel/implement.ts'
import type { Schedules } from './service.ts'

export const scheduleCalls = (schedules: Schedules) =>
  implement(calls, {
    list: async ({ actor }) => ({ schedules: await schedules.list(actor) }),
    find: async ({ actor }, { tabId }) => ({ schedule: await schedules.find(actor, tabId) }),
    save: (from, draft) => schedules.save(from, draft),
    pause: async (from, { scheduleId, paused }) => {
      await schedules.pause(from, scheduleId, paused)
      return {}
    },
    delete: async (from, { scheduleId }) => {
      await schedules.delete(from, scheduleId)
      return {}
    },
    run: async ({ actor }, { scheduleId }) => ({ run: await schedules.run(actor, scheduleId) }),
    runs: ({ actor }, page) => schedules.runs(actor, page),
  })
