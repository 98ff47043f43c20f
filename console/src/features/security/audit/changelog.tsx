import type { AuditChange, AuditEntry } from '@boathouse/contract/audit'
import { t } from '../../../i18n/texts.ts'
import styles from '../security.module.css'
import { shownField, shownValue } from './shown-value.ts'

const MOST = 3

/** The first fields that changed; the others are in the details. */
export function Changelog({ changes, isCut }: Pick<AuditEntry, 'changes' | 'isCut'>) {
  const shown = changes.slice(0, MOST)
  const isMore = isCut || changes.length > MOST
  if (shown.length === 0 && !isMore)
    return <span className={styles['note']}>{t('audit.change.noChanges')}</span>
  return (
    <ul className={styles['changes']}>
      {shown.map((change) => (
        <li key={change.field}>
          <Change change={change} />
        </li>
      ))}
      {isMore && <li className={styles['note']}>{t('audit.change.moreFields')}</li>}
    </ul>
  )
}

function Change({ change: { field, before, after } }: { change: AuditChange }) {
  return (
    <>
      <span className={styles['note']}>{shownField(field)}</span>{' '}
      {before !== null && (
        <del>
          <span className="visually-hidden">{t('audit.change.before')} </span>
          {shownValue(before)}
        </del>
      )}
      {before !== null && after !== null && <span aria-hidden> → </span>}
      {after !== null && (
        <ins>
          <span className="visually-hidden">{t('audit.change.after')} </span>
          {shownValue(after)}
        </ins>
      )}
    </>
  )
}
