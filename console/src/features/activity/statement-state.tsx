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

type Of = Pick<HistoryEntry, 'state'> & Partial<Pick<RunningStatement, 'progress' | 'queuePlace'>>

function wordsOf({ state, progress, queuePlace }: Of): string {
  if (queuePlace) return t('activity.state.queued', { place: queuePlace })
  if (state === 'running' && progress) return t('activity.state.progress', { percent: Math.round(progress) })
  return t(`activity.state.${state}`)
}

export const StatementState = ({ of }: { of: Of }) => (
  <StateDot tone={of.queuePlace ? 'warn' : TONES[of.state]} pulse={of.state === 'running'}>
    {wordsOf(of)}
  </StateDot>
)
