import { LIMITS } from '@boathouse/contract'
import {
  likeMatcher,
  readAlterTask,
  readDropTask,
  readShow,
  readSubmitTask,
  type StatementKind,
} from '@boathouse/sql'
import { AppError } from '../../kernel/app-error.ts'
import type { Answer } from '../query/sessions/session-tools.ts'
import { ownRows } from '../query/sessions/own-rows.ts'
import { scheduleText } from './refresh-times.ts'
import type { RunRow } from './run-store.ts'
import type { ScheduledTask, ScheduledTasks } from './scheduled.ts'
import { asStatement, readable, timeText, unlessMissing, whoOf } from './statement-words.ts'
import type { SubmittedTasks } from './submitted.ts'

const TASKS = ['TASK_NAME', 'CREATE_TIME', 'SCHEDULE', 'DATABASE', 'DEFINITION', 'EXPIRE_TIME']
const RUNS = [
  'QUERY_ID',
  'TASK_NAME',
  'CREATE_TIME',
  'FINISH_TIME',
  'STATE',
  'CATALOG',
  'DATABASE',
  'DEFINITION',
  'EXPIRE_TIME',
  'ERROR_CODE',
  'ERROR_MESSAGE',
  'PROGRESS',
]

const DAY_MS = 86_400_000
const expiryOf = ({ created_at }: RunRow): string | null =>
  timeText(new Date(created_at.getTime() + LIMITS.taskRunDays * DAY_MS))

const PROGRESS = { pending: '0%', running: null, success: '100%', failed: '0%' } as const

const refusedText = (error: unknown): never => {
  throw asStatement(error)
}

const taskNamed = (name: readonly string[]): string => {
  const given = name.at(-1) ?? ''
  if (given.length <= LIMITS.identifierLength) return given
  throw new AppError('QueryFailed', `The name of a task has at most ${LIMITS.identifierLength} characters.`)
}

const onceRow = (run: RunRow): (string | null)[] => [
  run.task_name,
  timeText(run.created_at),
  '',
  run.database,
  run.definition,
  expiryOf(run),
]

const scheduledRow = (task: ScheduledTask): (string | null)[] => [
  task.name,
  timeText(task.created_at),
  `${scheduleText(task)}${task.paused ? ' PAUSED' : ''}`,
  task.database,
  task.definition,
  null,
]

const runRow = (run: RunRow): (string | null)[] => [
  run.query_id,
  run.task_name,
  timeText(run.created_at),
  timeText(run.ended_at),
  run.state.toUpperCase(),
  run.catalog,
  run.database,
  run.definition,
  expiryOf(run),
  run.state === 'failed' ? '1' : '0',
  run.error,
  PROGRESS[run.state],
]

/** SUBMIT TASK, and the list of tasks with their states. */
export function taskStatements(
  tasks: SubmittedTasks,
  scheduled: ScheduledTasks,
): Partial<Record<StatementKind, Answer>> {
  return {
    'submit-task': async (statement, tools) => {
      const { name, schedule, statement: text } = readable(readSubmitTask(statement), 'submit')
      const task = { name: taskNamed(name), statement: text, place: tools.connection }
      const submitted = schedule
        ? (await scheduled.submit(whoOf(tools), task, schedule).catch(refusedText)).name
        : (await tasks.submit(tools.actor, task)).task_name
      return { result: ownRows(['TaskName', 'Status'], [[submitted, 'SUBMITTED']]) }
    },
    'alter-task': (statement, tools) => {
      const { name, lenient, change } = readable(readAlterTask(statement), 'alterTask')
      const named = taskNamed(name)
      return unlessMissing(lenient, () => scheduled.pause(whoOf(tools), named, change === 'pause'))
    },
    'drop-task': (statement, tools) => {
      const { name, lenient } = readable(readDropTask(statement), 'dropTask')
      return unlessMissing(lenient, () => scheduled.drop(whoOf(tools), taskNamed(name)))
    },
    'show-tasks': async (statement, { actor }) => {
      const isLike = likeMatcher(readable(readShow(statement), 'showTasks').like)
      const once = (await tasks.list(actor)).filter(({ reason }) => reason === 'submit')
      const rows = [...(await scheduled.list(actor)).map(scheduledRow), ...once.map(onceRow)]
      return {
        result: ownRows(
          TASKS,
          rows.filter(([name]) => isLike(name ?? '')),
        ),
      }
    },
    'show-task-runs': async (statement, { actor }) => {
      const isLike = likeMatcher(readable(readShow(statement), 'showTasks').like)
      const found = (await tasks.list(actor)).filter(({ task_name }) => isLike(task_name))
      return { result: ownRows(RUNS, found.map(runRow)) }
    },
  }
}
