import { useMemo, useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { IconButton } from '../../../ui/index.ts'
import { IconFileText, IconFolder, IconFolderOpen, IconPlus } from '../icons.ts'
import { filterTree, treeRows } from './query-tree.ts'
import type { QueryRow, SavedTree } from './query-tree.ts'
import { PanelFailure, PanelLoading, PanelNote, SidePanel } from '../side-panel.tsx'
import { Tree } from '../../../ui/tree/tree.tsx'
import type { ActedBy } from '../../../ui/tree/tree.tsx'

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
  const act = ({ id, kind }: QueryRow, by: ActedBy) => {
    if (by === 'double') return
    if (kind === 'folder') toggle(id)
    else onOpen(id)
  }

  return (
    <SidePanel
      title={t('editor.queries.title')}
      actions={
        <IconButton label={t('editor.queries.create')} size="sm" onClick={onCreate} disabled={creating}>
          <IconPlus size={16} aria-hidden />
        </IconButton>
      }
      filterLabel={t('editor.queries.filter')}
      filter={filter}
      onFilter={setFilter}
    >
      {!tree && !failed && <PanelLoading />}
      {!tree && failed && <PanelFailure message={t('editor.queries.failed')} onRetry={onRetry} />}
      {tree && rows.length === 0 && (
        <PanelNote>
          {text === '' ? t('editor.queries.empty') : t('editor.queries.noMatch', { text })}
        </PanelNote>
      )}
      {rows.length > 0 && (
        <Tree
          label={t('editor.queries.title')}
          rows={rows}
          activeId={activeTabId}
          icon={iconOf}
          onAct={act}
          onToggle={toggle}
        />
      )}
    </SidePanel>
  )
}

function iconOf({ expanded }: QueryRow) {
  const Icon = expanded === null ? IconFileText : expanded ? IconFolderOpen : IconFolder
  return <Icon size={15} stroke={1.6} aria-hidden />
}
