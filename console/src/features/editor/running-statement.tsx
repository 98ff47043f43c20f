import { useTranslation } from 'react-i18next'
import { Spinner } from '../../ui/index.ts'
import { isAsked } from './run.ts'
import type { Run, StatementResult } from './run.ts'
import styles from './results.module.css'

interface Props {
  readonly run: Run
  readonly statement: StatementResult | undefined
}

function whatHappens(run: Run) {
  if (isAsked(run)) return 'editor.result.asking' as const
  return run.stopping ? ('editor.toolbar.stopping' as const) : ('editor.result.running' as const)
}

export function RunningStatement({ run, statement }: Props) {
  const { t } = useTranslation()
  const progress = statement?.progress ?? null
  return (
    <div className={styles['running']}>
      <p className={styles['runningText']}>
        <Spinner size={16} />
        <span role="status">{t(whatHappens(run))}</span>
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
