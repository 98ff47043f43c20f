import type { ScheduleRun } from '@boathouse/contract/schedule'
import { t } from '../../../i18n/texts.ts'
import { StateDot, type Tone } from '../../../ui/index.ts'

const TONES: Readonly<Record<ScheduleRun['state'], Tone>> = {
  pending: 'warn',
  running: 'accent',
  success: 'ok',
  failed: 'err',
}

export const RunState = ({ state }: Pick<ScheduleRun, 'state'>) => (
  <StateDot tone={TONES[state]} pulse={state === 'running'}>
    {t(`schedules.runs.states.${state}`)}
  </StateDot>
)

/** It has not ended, so that it is looked for again. */
export const isOpen = (run: Pick<ScheduleRun, 'state'> | null | undefined): boolean =>
  run?.state === 'pending' || run?.state === 'running'
