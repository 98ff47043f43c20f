import { type BoundName, boundOf, boundText, newlyUsed } from '../query/gate/bound-definitions.ts'
import type { Refresh } from '../query/gate/authorize-statement.ts'
import type { RunRow } from './run-store.ts'
import type { ScheduledStore } from './scheduled-store.ts'

/** A statement runs again as the user who scheduled it, so what it calls must not have changed. */
const unconfirmed = (name: string, other: BoundName): string =>
  `The task ${name} is not run: ${boundText(other)}, which its statement uses, has changed since the task last ran. Check it, then confirm the task with ALTER TASK ${name} RESUME.`

/** Decides whether a scheduled task still uses what it used, and remembers what that is. */
export function checkOf(store: Pick<ScheduledStore, 'boundOf'>, { task_id, task_name }: RunRow) {
  if (task_id === null) return null
  let bound: readonly BoundName[] | undefined
  const refresh: Refresh = {
    view: null,
    async reads(_, uses) {
      bound = boundOf(uses)
      const before = await store.boundOf(task_id)
      const other = before && newlyUsed(before, bound)
      return other ? unconfirmed(task_name, other) : null
    },
  }
  return { taskId: task_id, refresh, bound: () => bound }
}
