import { useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { IconChevronDown, IconChevronRight, IconFileText, IconFolder, IconFolderOpen } from './icons.ts'
import { treeKey } from './query-tree.ts'
import type { TreeRow } from './query-tree.ts'
import styles from './saved-queries.module.css'

interface Props {
  readonly label: string
  readonly rows: readonly TreeRow[]
  readonly activeId: string | null
  readonly onOpen: (tabId: string) => void
  readonly onToggle: (folderId: string) => void
}

const INDENT_PX = 14

function RowIcon({ row }: { row: TreeRow }) {
  if (row.kind === 'tab') return <IconFileText size={15} stroke={1.6} aria-hidden />
  const Chevron = row.expanded ? IconChevronDown : IconChevronRight
  const Folder = row.expanded ? IconFolderOpen : IconFolder
  return (
    <>
      <Chevron size={13} aria-hidden />
      <Folder size={15} stroke={1.6} aria-hidden />
    </>
  )
}

/** One stop for the Tab key; arrows, Home, End, Enter and letters move within. */
export function QueryTree({ label, rows, activeId, onOpen, onToggle }: Props) {
  const items = useRef(new Map<string, HTMLElement>())
  const [focusedId, setFocusedId] = useState<string | null>(null)
  const stop = [focusedId, activeId].find((id) => rows.some((row) => row.id === id)) ?? rows[0]?.id

  const act = (row: TreeRow) => (row.kind === 'folder' ? onToggle(row.id) : onOpen(row.id))
  const pressed = (event: KeyboardEvent, row: TreeRow, index: number) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault()
      return act(row)
    }
    const move = treeKey(rows, index, event.key)
    if (!move) return
    event.preventDefault()
    if (move.kind === 'toggle') return onToggle(move.id)
    items.current.get(rows[move.index]?.id ?? '')?.focus()
  }

  return (
    <div role="tree" aria-label={label} className={styles['tree']}>
      {rows.map((row, index) => (
        <div
          key={row.id}
          role="treeitem"
          ref={(element) => {
            if (element) items.current.set(row.id, element)
            else items.current.delete(row.id)
          }}
          className={styles['row']}
          style={{ paddingLeft: 8 + (row.level - 1) * INDENT_PX }}
          data-kind={row.kind}
          tabIndex={row.id === stop ? 0 : -1}
          title={row.name}
          aria-level={row.level}
          aria-posinset={row.posInSet}
          aria-setsize={row.setSize}
          aria-expanded={row.kind === 'folder' ? row.expanded : undefined}
          aria-selected={row.id === activeId}
          onFocus={() => setFocusedId(row.id)}
          onClick={() => act(row)}
          onKeyDown={(event) => pressed(event, row, index)}
        >
          <RowIcon row={row} />
          <span className={styles['name']}>{row.name}</span>
        </div>
      ))}
    </div>
  )
}
