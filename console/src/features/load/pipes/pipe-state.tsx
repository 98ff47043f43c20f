import type { PipeFileState, PipeState } from '@boathouse/contract/pipe'
import { t } from '../../../i18n/texts.ts'
import { StateDot, type Tone } from '../../../ui/index.ts'

const TONES: Readonly<Record<PipeState, Tone>> = {
  running: 'ok',
  suspended: 'warn',
  finished: 'neutral',
  error: 'err',
}

export const PipeStateDot = ({ state }: { state: PipeState }) => (
  <StateDot tone={TONES[state]}>{t(`pipe.states.${state}`)}</StateDot>
)

const FILE_TONES: Readonly<Record<PipeFileState, Tone>> = {
  waiting: 'neutral',
  loading: 'accent',
  loaded: 'ok',
  failed: 'err',
  skipped: 'warn',
}

export const FileStateDot = ({ state }: { state: PipeFileState }) => (
  <StateDot tone={FILE_TONES[state]} pulse={state === 'loading'}>
    {t(`pipe.file.states.${state}`)}
  </StateDot>
)
