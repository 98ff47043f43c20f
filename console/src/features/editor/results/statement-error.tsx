import { CODES } from '@boathouse/contract/codes'
import { LIMITS } from '@boathouse/contract/limits'
import { lazy, Suspense } from 'react'
import { t } from '../../../i18n/texts.ts'
import { Button, useCopy } from '../../../ui/index.ts'
import { meantKeyword } from '../text/did-you-mean.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { errorPlace } from '../text/error-place.ts'
import { IconAlertTriangle } from '../icons.ts'
import { ResumeWarehouse } from '../warehouse/resume-warehouse.tsx'
import type { Run, StatementResult } from '../running/run.ts'
import styles from './results.module.css'

const ErrorHelp = lazy(async () => ({ default: (await import('./error-help.tsx')).ErrorHelp }))

interface Props {
  readonly tabId: string
  readonly statement: StatementResult | undefined
  readonly run: Run
  readonly onGoTo: (offset: number) => void
}

/** The word that the engine stumbled over, if it is nearly a keyword. */
function meantAt(sql: string, offset: number): string | null {
  const [word] = /^[\p{L}_]+/u.exec(sql.slice(offset, offset + 64)) ?? []
  return word ? meantKeyword(word) : null
}

/** A place that cannot be used for now may be used later: the service's own sentence says why. */
const isForNow = ({ failure, failureCode }: Run): boolean =>
  failure === 'notPrepared' && failureCode !== CODES.QueryFailed.code

export function StatementError({ tabId, run, statement, onGoTo }: Props) {
  const { store } = useEditorRuntime()
  const copy = useCopy()
  const text = useEditorState(store, ({ tabs }) => tabs[tabId]?.sql ?? '')
  // Null when the text that failed is no longer in the editor.
  const place = statement?.errPosition ? errorPlace(text, run) : null
  // Set when the console gave up, because the server said nothing about the query itself.
  const { failure, failureDetail } = run
  const limit = LIMITS.sqlLength.toLocaleString('en-US')
  const own = failure && !isForNow(run)
  const said = failure ? failureDetail : (statement?.errMsg ?? '')
  const message = own ? t(`editor.error.local.${failure}`, { limit, detail: failureDetail }) : said
  const code = failure ? run.failureCode : statement?.errCode
  const position = place ?? statement?.errPosition
  const isSyntax = /syntax error/i.test(statement?.errMsg ?? '')
  const meant = isSyntax && statement?.errPosition ? meantAt(run.sql, statement.errPosition.offset) : null
  return (
    <div className={styles['error']} role="alert">
      <IconAlertTriangle size={20} stroke={1.6} aria-hidden />
      <div className={styles['errorBody']}>
        <h3 className={styles['errorTitle']}>{t('editor.error.title')}</h3>
        <pre className={styles['errorMessage']}>{message}</pre>
        {meant && <p>{t('editor.error.didYouMean', { keyword: meant })}</p>}
        {statement && !failure && (
          <Suspense>
            <ErrorHelp failed={statement} />
          </Suspense>
        )}
        <div className={styles['errorActions']}>
          {code === CODES.NoRunningWarehouse.code && <ResumeWarehouse tabId={tabId} run={run} />}
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
