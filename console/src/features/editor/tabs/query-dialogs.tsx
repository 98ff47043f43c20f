import { lazy, Suspense, useState } from 'react'
import type { OpenTab } from './use-open-tab.ts'

/** A dialog about saved queries: which, and about what. */
export interface Asked {
  readonly kind:
    | 'newFolder'
    | 'renameFolder'
    | 'renameTab'
    | 'moveFolder'
    | 'moveTab'
    | 'deleteFolder'
    | 'bin'
    | 'history'
    | 'versions'
    | 'schedule'
    | 'shareTab'
    | 'shareFolder'
    | 'assistant'
    | 'snippets'
  readonly id: string
  readonly name: string
}

interface Props {
  readonly asked: Asked | null
  readonly opened: OpenTab
  readonly onClose: () => void
  /** Puts a text at the end of the tab that is open. */
  readonly onInsert: (text: string) => void
  readonly onInsertSnippet: (template: string) => void
}

// Loaded when the first of them is needed.
const NameDialog = lazy(async () => ({ default: (await import('./asked-dialogs.tsx')).NameDialog }))
const MoveDialog = lazy(async () => ({ default: (await import('./asked-dialogs.tsx')).MoveDialog }))
const DeleteFolderDialog = lazy(async () => ({
  default: (await import('./asked-dialogs.tsx')).DeleteFolderDialog,
}))
const BinDialog = lazy(async () => ({ default: (await import('./bin-dialog.tsx')).BinDialog }))
const HistoryDialog = lazy(async () => ({
  default: (await import('../history/history-dialog.tsx')).HistoryDialog,
}))

const VersionsDialog = lazy(async () => ({
  default: (await import('../versions/versions-dialog.tsx')).VersionsDialog,
}))

const ScheduleDialog = lazy(async () => ({
  default: (await import('../schedules/schedule-dialog.tsx')).ScheduleDialog,
}))

const ShareQueryDialog = lazy(async () => ({
  default: (await import('../together/share-query-dialog.tsx')).ShareQueryDialog,
}))

const AssistantDialog = lazy(async () => ({
  default: (await import('../assistant/assistant-dialog.tsx')).AssistantDialog,
}))

const SnippetsDialog = lazy(async () => ({
  default: (await import('../snippets/snippets-dialog.tsx')).SnippetsDialog,
}))

export interface DialogProps {
  readonly asked: Asked
  readonly open: boolean
  readonly opened: OpenTab
  readonly onClose: () => void
}

/** One at a time. While it goes it is still there, so that the focus finds its way back. */
export function QueryDialogs({ asked, opened, onClose, onInsert, onInsertSnippet }: Props) {
  const [last, setLast] = useState(asked)
  const [turn, setTurn] = useState(0)
  if (asked && asked !== last) {
    setLast(asked)
    setTurn(turn + 1)
  }
  if (!last) return null
  const { kind } = last
  const props = { asked: last, open: asked !== null, opened, onClose }
  return (
    <Suspense>
      {(kind === 'newFolder' || kind === 'renameFolder' || kind === 'renameTab') && (
        <NameDialog key={turn} {...props} />
      )}
      {(kind === 'moveFolder' || kind === 'moveTab') && <MoveDialog key={turn} {...props} />}
      {kind === 'deleteFolder' && <DeleteFolderDialog {...props} />}
      {kind === 'bin' && <BinDialog key={turn} {...props} />}
      {kind === 'versions' && <VersionsDialog key={turn} {...props} />}
      {kind === 'schedule' && asked && (
        <ScheduleDialog key={turn} tabId={last.id} name={last.name} hasLink onClose={onClose} />
      )}
      {(kind === 'shareTab' || kind === 'shareFolder') && <ShareQueryDialog key={turn} {...props} />}
      {kind === 'assistant' && <AssistantDialog key={turn} {...props} onInsert={onInsert} />}
      {kind === 'snippets' && <SnippetsDialog key={turn} {...props} onInsert={onInsertSnippet} />}
      {kind === 'history' && <HistoryDialog key={turn} {...props} onInsert={onInsert} />}
    </Suspense>
  )
}
