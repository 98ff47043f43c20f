import { LIMITS } from '@boathouse/contract/limits'
import type { Inspection } from '@boathouse/contract/load'
import { t } from '../../i18n/texts.ts'
import { Button } from '../../ui/index.ts'
import styles from './load.module.css'

interface Props {
  readonly broken: Inspection['broken']
  /** So many rows may be left out. */
  readonly mostRejected: number
  readonly onLeaveOut: () => void
}

/** Rows that cannot be read whatever the types are, as a broken line of JSON. */
export function BrokenRows({ broken: { count, rows }, mostRejected, onLeaveOut }: Props) {
  if (count === 0) return null
  const more = count - rows.length
  return (
    <div className={styles['spoiled']}>
      <p>{t('load.columns.broken', { count })}</p>
      <ul>
        {rows.map(({ line, reason, text }) => (
          <li key={line}>
            {t('load.columns.spoiledRow', { line: line ?? '', reason })} {text && <code>{text}</code>}
          </li>
        ))}
        {more > 0 && <li>{t('load.columns.spoiledMore', { count: more })}</li>}
      </ul>
      {count > LIMITS.rejectedRows ? (
        <p>{t('load.columns.brokenTooMany', { most: LIMITS.rejectedRows })}</p>
      ) : count <= mostRejected ? (
        <p role="status">{t('load.columns.brokenLeftOut', { count })}</p>
      ) : (
        <div>
          <Button size="sm" onClick={onLeaveOut}>
            {t('load.columns.leaveOut', { count })}
          </Button>
        </div>
      )}
    </div>
  )
}
