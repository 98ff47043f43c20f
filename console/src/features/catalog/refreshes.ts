import type { TaskRun, TaskState } from '@boathouse/contract/materialized-views'
import type { Tone } from '../../ui/index.ts'
import type { ThisObject } from './this-object.ts'

/** In the form of the calls about refreshes. */
export const viewOf = ({ catalog, database, name }: ThisObject) => ({
  catalog,
  databaseName: database,
  mvName: name,
})

export const RUN_TONES: Readonly<Record<TaskState, Tone>> = {
  pending: 'neutral',
  running: 'accent',
  success: 'ok',
  failed: 'err',
}

export const isUnderWay = (run: Pick<TaskRun, 'state'> | null | undefined): boolean =>
  run?.state === 'pending' || run?.state === 'running'

/** Of one that has ended. */
export const tookMs = ({ createdAt, endedAt }: TaskRun): number | null =>
  endedAt === null ? null : Date.parse(endedAt) - Date.parse(createdAt)

/** The channel reports the end of a refresh; this is for when it is broken. */
export const LOOK_MS = 3_000
