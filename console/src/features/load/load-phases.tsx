import { t } from '../../i18n/texts.ts'
import { formatBytes } from '../../lib/format.ts'
import { StateDot, type Tone } from '../../ui/index.ts'
import styles from './load.module.css'

interface Props {
  /** Percent that has arrived; null: all of it. */
  readonly upload: number | null
  readonly columns: 'detecting' | 'detected' | 'failed'
  /** How much of its beginning the columns are detected in; null: all of it. */
  readonly sampledBytes: number | null
  readonly load: 'open' | 'chosen' | 'starting' | 'started'
}

const TONES: Readonly<Record<Props['columns'] | Props['load'], Tone>> = {
  detecting: 'accent',
  detected: 'ok',
  failed: 'err',
  open: 'neutral',
  chosen: 'accent',
  starting: 'accent',
  started: 'ok',
}

/** How far a file is: uploaded, its columns detected, loaded. The load itself is in the list of tasks. */
export function LoadPhases({ upload, columns, sampledBytes, load }: Props) {
  const isSample = columns === 'detected' && sampledBytes !== null
  const found = isSample
    ? t('load.phases.detectedSample', { size: formatBytes(sampledBytes) })
    : t(`load.phases.${columns}`)
  const phases = [
    {
      name: t('load.phases.upload'),
      tone: upload === null ? 'ok' : 'accent',
      pulse: upload !== null,
      text:
        upload === null
          ? t('load.phases.uploaded')
          : t('load.phases.uploading', { percent: Math.floor(upload) }),
    },
    { name: t('load.phases.columns'), tone: TONES[columns], pulse: columns === 'detecting', text: found },
    {
      name: t('load.phases.load'),
      tone: TONES[load],
      pulse: load === 'starting',
      text: t(`load.phases.${load}`),
    },
  ] as const
  return (
    <ol className={styles['phases']} aria-label={t('load.phases.title')}>
      {phases.map(({ name, tone, pulse, text }) => (
        <li key={name} className={styles['phase']}>
          <span className={styles['phase-name']}>{name}</span>
          <StateDot tone={tone} pulse={pulse}>
            {text}
          </StateDot>
        </li>
      ))}
    </ol>
  )
}
