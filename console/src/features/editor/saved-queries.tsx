import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button, IconButton, Skeleton, TextField } from '../../ui/index.ts'
import { IconPlus } from './icons.ts'
import { filterTree, treeRows } from './query-tree.ts'
import type { SavedTree } from './query-tree.ts'
import { QueryTree } from './query-tree-view.tsx'
import styles from './saved-queries.module.css'

interface Props {
  /** Undefined while it is loading. */
  readonly tree: SavedTree | undefined
  readonly failed: boolean
  readonly onRetry: () => void
  readonly activeTabId: string | null
  readonly onOpen: (tabId: string) => void
  readonly onCreate: () => void
  readonly creating: boolean
}

const NOTHING_CLOSED: ReadonlySet<string> = new Set()

export function SavedQueries(props: Props) {
  const { tree, failed, onRetry, activeTabId, onOpen, onCreate, creating } = props
  const { t } = useTranslation()
  const [filter, setFilter] = useState('')
  const [closed, setClosed] = useState<ReadonlySet<string>>(NOTHING_CLOSED)
  const text = filter.trim()
  // While something is looked for, every folder that holds a match is open.
  const rows = useMemo(
    () => (tree ? treeRows(filterTree(tree, text), text === '' ? closed : NOTHING_CLOSED) : []),
    [tree, text, closed],
  )
  const toggle = (id: string) => {
    const next = new Set(closed)
    if (!next.delete(id)) next.add(id)
    setClosed(next)
  }

  return (
    <section className={styles['panel']} aria-label={t('editor.queries.title')}>
      <header className={styles['header']}>
        <h2 className={styles['title']}>{t('editor.queries.title')}</h2>
        <IconButton label={t('editor.queries.create')} size="sm" onClick={onCreate} disabled={creating}>
          <IconPlus size={16} aria-hidden />
        </IconButton>
      </header>
      <div className={styles['filter']}>
        <TextField
          label={t('editor.queries.filter')}
          hideLabel
          placeholder={t('editor.queries.filter')}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      <div className={styles['scroller']}>
        {!tree && !failed && <LoadingRows />}
        {!tree && failed && (
          <p className={styles['note']} role="alert">
            {t('editor.queries.failed')}
            <Button size="sm" onClick={onRetry}>
              {t('ui.retry')}
            </Button>
          </p>
        )}
        {tree && rows.length === 0 && (
          <p className={styles['note']}>
            {text === '' ? t('editor.queries.empty') : t('editor.queries.noMatch', { text })}
          </p>
        )}
        {rows.length > 0 && (
          <QueryTree
            label={t('editor.queries.title')}
            rows={rows}
            activeId={activeTabId}
            onOpen={onOpen}
            onToggle={toggle}
          />
        )}
      </div>
    </section>
  )
}

const WIDTHS = ['70%', '55%', '80%', '60%', '45%']

const LoadingRows = () => (
  <div className={styles['loading']}>
    {WIDTHS.map((width) => (
      <Skeleton key={width} width={width} />
    ))}
  </div>
)
