import type { LoadState, LoadTask } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { formatBytes } from '../../lib/format.ts'
import { StateDot, type Tone } from '../../ui/index.ts'

const TONES: Readonly<Record<LoadState, Tone>> = {
  queued: 'accent',
  running: 'accent',
  paused: 'warn',
  finished: 'ok',
  failed: 'err',
  cancelled: 'neutral',
}

export function TaskState({ task }: { task: Pick<LoadTask, 'state' | 'progress' | 'receivedBytes'> }) {
  const { state, progress, receivedBytes } = task
  const isRunning = state === 'running'
  return (
    <StateDot tone={TONES[state]} pulse={isRunning}>
      {t(`load.tasks.states.${state}`)}
      {isRunning && progress !== null && ` ${t('load.tasks.percent', { percent: Math.floor(progress) })}`}
      {isRunning &&
        progress === null &&
        receivedBytes !== null &&
        ` ${t('load.tasks.received', { size: formatBytes(receivedBytes) })}`}
    </StateDot>
  )
}
