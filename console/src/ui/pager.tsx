import { t } from '../i18n/texts.ts'
import { Button } from './button.tsx'
import styles from './layout.module.css'

interface Props {
  /** What is listed, for those who meet several on one page. */
  readonly label: string
  /** From 1. */
  readonly page: number
  readonly pageSize: number
  readonly total: number
  readonly onPage: (page: number) => void
}

/** Below a list that the service gives page by page; not there when one page is all. */
export function Pager({ label, page, pageSize, total, onPage }: Props) {
  if (total <= pageSize && page === 1) return null
  const last = Math.max(1, Math.ceil(total / pageSize))
  const from = Math.min((page - 1) * pageSize + 1, total)
  return (
    <nav className={styles['pager']} aria-label={t('ui.pages', { label })}>
      <span role="status">{t('ui.pageRange', { from, to: Math.min(page * pageSize, total), total })}</span>
      <Button size="sm" disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, last))}>
        {t('ui.previous')}
      </Button>
      <Button size="sm" disabled={page >= last} onClick={() => onPage(page + 1)}>
        {t('ui.next')}
      </Button>
    </nav>
  )
}
