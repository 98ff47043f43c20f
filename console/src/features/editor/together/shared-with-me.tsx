import '../../../i18n/together.ts'
import { editor } from '@boathouse/contract/editor'
import type { SharedQuery } from '@boathouse/contract/editor-shares'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { useSettled } from '../../../lib/settled.ts'
import { Pager } from '../../../ui/index.ts'
import { Tree, TREE_ROW_PX } from '../../../ui/tree/tree.tsx'
import type { TreeRow } from '../../../ui/tree/tree-rows.ts'
import { IconFileText } from '../icons.ts'
import { PanelFailure, PanelLoading, PanelNote } from '../side-panel.tsx'
import type { OpenTab } from '../tabs/use-open-tab.ts'
import styles from './together.module.css'

const PAGE = 50
const MOST_ROWS = 8

interface Props {
  readonly opened: OpenTab
  /** Of a name. */
  readonly search: string
}

interface SharedRow extends TreeRow {
  readonly query: SharedQuery
}

const byOf = ({ owner, folderName: folder }: SharedQuery): string =>
  folder === '' ? t('together.mine.by', { owner }) : t('together.mine.byInFolder', { owner, folder })

const iconOf = () => <IconFileText size={15} stroke={1.6} aria-hidden />

const endOf = ({ query }: SharedRow) => (
  <span className={styles['by']} title={byOf(query)}>
    {byOf(query)}
  </span>
)

/** Queries of others, by name, with whose they are. */
export function SharedWithMe({ opened, search }: Props) {
  const text = useSettled(search.trim())
  const [page, setPage] = useState(1)
  const shared = useCall(
    editor.sharedWithMe,
    { search: text, offset: (page - 1) * PAGE, limit: PAGE },
    { placeholderData: (before) => before },
  )
  const list = shared.data?.list ?? []
  const rows = list.map((query, at): SharedRow => ({
    id: query.tabId,
    name: query.tabName,
    level: 1,
    posInSet: at + 1,
    setSize: list.length,
    parentId: '',
    expanded: null,
    query,
  }))
  if (shared.isPending) return <PanelLoading />
  if (shared.isError)
    return <PanelFailure message={t('together.mine.failed')} onRetry={() => void shared.refetch()} />
  if (rows.length === 0)
    return (
      <PanelNote>{text === '' ? t('together.mine.empty') : t('together.mine.noMatch', { text })}</PanelNote>
    )
  return (
    <>
      <div className={styles['rows']} style={{ height: Math.min(rows.length, MOST_ROWS) * TREE_ROW_PX }}>
        <Tree
          label={t('editor.shared.title')}
          rows={rows}
          activeId={opened.tabId}
          icon={iconOf}
          end={endOf}
          onAct={({ id, name }, by) => by !== 'double' && opened.showTab({ tabId: id, tabName: name })}
          onToggle={() => undefined}
        />
      </div>
      <Pager
        label={t('editor.shared.title')}
        page={page}
        pageSize={PAGE}
        total={shared.data.total}
        onPage={setPage}
      />
    </>
  )
}
