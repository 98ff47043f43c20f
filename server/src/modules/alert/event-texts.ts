import type { AlertEvent } from '@boathouse/contract'

export type ToldEvent = AlertEvent | 'test'
export type Facts = Readonly<Record<string, unknown>>

const SUBJECTS: Readonly<Record<ToldEvent, string>> = {
  'statement.failed': 'A statement failed',
  'task.failed': 'A task failed',
  'load.ended': 'A load ended',
  'load.failed': 'A load failed',
  'budget.reached': 'A budget is used up',
  'warehouse.abnormal': 'A warehouse is abnormal',
  'user.invited': 'A user was invited',
  'schedule.failed': 'A scheduled query failed',
  'schedule.condition': 'The condition of a scheduled query holds',
  test: 'A test of an alert rule',
}

const LABELS: Readonly<Record<string, string>> = {
  queryId: 'Query ID',
  runId: 'Run',
  taskId: 'Load',
  rowsLoaded: 'Rows loaded',
  rowsRejected: 'Rows rejected',
  budgetId: 'Budget',
  accountId: 'Account',
  usd: 'USD',
  more: 'Further events',
}

const labelOf = (name: string): string => LABELS[name] ?? `${name.charAt(0).toUpperCase()}${name.slice(1)}`

/** A scheduled query by its name: who has several need not open each mail. */
export const subjectOf = (event: ToldEvent, { query }: Facts): string =>
  typeof query === 'string' && query !== '' ? `${SUBJECTS[event]}: ${query}` : SUBJECTS[event]

/** Facts come from the store in no order: what happened first, then why, then where to look it up. */
const FIRST = ['query', 'condition', 'rows', 'message']
const LAST = ['runId', 'queryId']
const rankOf = (name: string): number =>
  FIRST.includes(name) ? FIRST.indexOf(name) - FIRST.length : LAST.indexOf(name) + 1

/** One for each fact that is known. */
export const linesOf = (facts: Facts): string[] =>
  Object.entries(facts)
    .toSorted(([one], [other]) => rankOf(one) - rankOf(other))
    .filter(([, value]) => typeof value === 'number' || (typeof value === 'string' && value !== ''))
    .map(([name, value]) => `${labelOf(name)}: ${String(value)}`)

/** What a webhook is sent, to the byte on every attempt. */
export const bodyOf = (event: ToldEvent, facts: Facts, at: Date): string =>
  JSON.stringify({ type: event, timestamp: at.toISOString(), data: facts })
