import { LIMITS } from '@boathouse/contract'
import { useTranslation } from 'react-i18next'
import { Button, useCopy } from '../../ui/index.ts'
import type { ErrorPlace } from './error-place.ts'
import { IconAlertTriangle } from './icons.ts'
import type { LocalFailure, StatementResult } from './run.ts'
import styles from './results.module.css'

interface Props {
  readonly statement: StatementResult | undefined
  /** The console gave up; the server said nothing. */
  readonly failure: LocalFailure | null
  /** Null when the text that failed is no longer in the editor. */
  readonly place: ErrorPlace | null
  readonly onGoTo: (offset: number) => void
}

export function StatementError({ statement, failure, place, onGoTo }: Props) {
  const { t } = useTranslation()
  const copy = useCopy()
  const limit = LIMITS.sqlLength.toLocaleString('en-US')
  const message = failure ? t(`editor.error.local.${failure}`, { limit }) : (statement?.errMsg ?? '')
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
