import { LIMITS } from '@boathouse/contract'
import { useTranslation } from 'react-i18next'
import { Button, useCopy } from '../../ui/index.ts'
import type { ErrorPlace } from './error-place.ts'
import { IconAlertTriangle } from './icons.ts'
import type { Run, StatementResult } from './run.ts'
import styles from './results.module.css'

interface Props {
  readonly statement: StatementResult | undefined
  readonly run: Run
  /** Null when the text that failed is no longer in the editor. */
  readonly place: ErrorPlace | null
  readonly onGoTo: (offset: number) => void
}

export function StatementError({ run, statement, place, onGoTo }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  // Set when the console gave up, because the server said nothing about the query itself.
  const { failure, failureDetail } = run
  const limit = LIMITS.sqlLength.toLocaleString('en-US')
  const message = failure
    ? t(`editor.error.local.${failure}`, { limit, detail: failureDetail })
    : (statement?.errMsg ?? '')
  const position = place ?? statement?.errPosition
  return (
    <div className={styles['error']} role="alert">
      <IconAlertTriangle size={20} stroke={1.6} aria-hidden />
      <div className={styles['errorBody']}>
        <h3 className={styles['errorTitle']}>{t('editor.error.title')}</h3>
        <pre className={styles['errorMessage']}>{message}</pre>
        <div className={styles['errorActions']}>
          {position && (
            <span className={styles['muted']}>
              {t('editor.error.at', { line: position.line, column: position.column })}
            </span>
          )}
          {place && (
            <Button size="sm" onClick={() => onGoTo(place.from)}>
              {t('editor.error.goTo')}
            </Button>
          )}
          <Button size="sm" onClick={() => copy(message)}>
            {t('editor.error.copy')}
          </Button>
        </div>
      </div>
    </div>
  )
}
