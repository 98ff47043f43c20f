import type { HistoryEntry, RunningStatement } from '@boathouse/contract/query'
import { t } from '../../i18n/texts.ts'
import { StateDot, type Tone } from '../../ui/index.ts'

const TONES: Readonly<Record<HistoryEntry['state'], Tone>> = {
  accepted: 'warn',
  running: 'accent',
  finished: 'ok',
  failed: 'err',
  cancelled: 'neutral',
  interrupted: 'warn',
}

type Of = Pick<HistoryEntry, 'state'> &
  Partial<Pick<RunningStatement, 'progress' | 'queuePlace' | 'waitsFor'>>

function wordsOf({ state, progress, queuePlace, waitsFor }: Of): string {
  if (waitsFor) return t(`activity.waitsFor.${waitsFor}`, { place: queuePlace ?? 0 })
  if (state === 'running' && progress) return t('activity.state.progress', { percent: Math.round(progress) })
  return t(`activity.state.${state}`)
}

export const StatementState = ({ of }: { of: Of }) => (
  <StateDot tone={of.waitsFor ? 'warn' : TONES[of.state]} pulse={of.state === 'running' && !of.waitsFor}>
    {wordsOf(of)}
  </StateDot>
)
