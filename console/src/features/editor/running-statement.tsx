import { useTranslation } from 'react-i18next'
import { Spinner } from '../../ui/index.ts'
import type { Run, StatementResult } from './run.ts'
import styles from './results.module.css'

interface Props {
  readonly run: Run
  readonly statement: StatementResult | undefined
}

export function RunningStatement({ run, statement }: Props) {
  const { t } = useTranslation()
  const progress = statement?.progress ?? null
  return (
    <div className={styles['running']}>
      <p className={styles['runningText']}>
        <Spinner size={16} />
        <span>{run.stopping ? t('editor.toolbar.stopping') : t('editor.result.running')}</span>
      </p>
      {progress !== null && (
        <progress
          className={styles['progress']}
          max={100}
          value={progress}
          aria-label={t('editor.result.progress')}
        />
      )}
    </div>
  )
}
