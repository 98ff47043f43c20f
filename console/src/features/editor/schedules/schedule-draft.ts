import {
  comparesValue,
  type Condition,
  type ConditionKind,
  type Schedule,
} from '@boathouse/contract/schedule'
import { t } from '../../../i18n/texts.ts'
import { cronOf, NEW_WHEN, type When, whenOf, whenProblems } from './repeats.ts'

/** `none`: of failures alone. */
export type NotifiedOf = 'none' | ConditionKind

export interface ScheduleDraft {
  readonly when: When
  readonly timeZone: string
  /** Empty: the default of the account. */
  readonly warehouseId: string
  readonly notify: NotifiedOf
  readonly column: string
  readonly value: string
  readonly quietMinutes: number
  /** By their names. */
  readonly users: readonly string[]
  /** What was typed to find somebody, and names nobody. */
  readonly unfound: string
  readonly url: string
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'

export const draftOf = (schedule: Schedule | null): ScheduleDraft => ({
  when: schedule ? whenOf(schedule.cron) : NEW_WHEN,
  timeZone: schedule?.timeZone ?? ownZone(),
  warehouseId: schedule?.warehouseId ?? '',
  notify: schedule?.condition?.kind ?? 'none',
  column: schedule?.condition?.column ?? '',
  value: String(schedule?.condition?.value ?? ''),
  quietMinutes: schedule?.quietMinutes ?? 60,
  users: schedule?.users ?? [],
  unfound: '',
  url: schedule?.url ?? '',
})

function conditionOf({ notify, column, value }: ScheduleDraft): Condition | null {
  if (notify === 'none') return null
  if (!comparesValue(notify)) return { kind: notify, column: '', value: 0 }
  return { kind: notify, column, value: Number(value) || 0 }
}

export const inputOf = (tabId: string, draft: ScheduleDraft) => ({
  tabId,
  cron: cronOf(draft.when),
  timeZone: draft.timeZone,
  warehouseId: draft.warehouseId || null,
  condition: conditionOf(draft),
  quietMinutes: draft.quietMinutes,
  users: [...draft.users],
  url: draft.url,
})

/** What the contract cannot know, because it is not sent as it is typed. */
export function draftProblems(draft: ScheduleDraft): Partial<Record<string, string>> {
  const { notify, value, unfound } = draft
  const isNumber = value.trim() !== '' && Number.isFinite(Number(value))
  return {
    ...whenProblems(draft.when),
    ...(notify !== 'none' && comparesValue(notify) && !isNumber
      ? { value: t('schedules.form.valueProblem') }
      : {}),
    ...(unfound !== '' && { users: t('schedules.form.unfound', { name: unfound }) }),
  }
}
