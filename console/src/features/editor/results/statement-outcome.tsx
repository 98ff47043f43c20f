import { t } from '../../../i18n/texts.ts'
import type { StatementResult } from '../running/run.ts'
import { outcomeKey, rowsChanged } from './statement-view.ts'
import styles from './results.module.css'

/** A statement without rows says what it changed. */
export function StatementOutcome({ statement }: { statement: StatementResult }) {
  const { change } = statement
  const count = rowsChanged(statement)
  // Notices, for example about rows that are no longer kept, can be about rows.
  const done = statement.notice === '' ? 'editor.outcome.done' : 'editor.outcome.finished'
  const key = outcomeKey(statement.sql)
  const isCounted = key === 'inserted' || key === 'updated' || key === 'deleted' || key === 'changed'
  const sentences = [
    change?.catalog && t('editor.outcome.usesCatalog', { catalog: change.catalog }),
    change?.database && t('editor.outcome.usesDatabase', { database: change.database }),
    change?.warehouse && t('editor.outcome.usesWarehouse', { warehouse: change.warehouse }),
  ].filter((sentence) => sentence !== undefined && sentence !== null && sentence !== '')
  const main =
    isCounted && count !== null
      ? t(`editor.outcome.${key}`, { count, shown: count.toLocaleString('en-US') })
      : t(isCounted || key === 'done' ? done : `editor.outcome.${key}`)
  return (
    <div className={styles['outcome']} role="status">
      {(sentences.length > 0 ? sentences : [main]).map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </div>
  )
}
