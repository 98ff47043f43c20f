import { FolderName, QueryName } from '@boathouse/contract/rules'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { ruleOf } from '../../../lib/form.ts'
import { Button, ConfirmDialog, Dialog, Select, TextField } from '../../../ui/index.ts'
import type { DialogProps } from './query-dialogs.tsx'
import { listFolders } from './tree-changes.ts'

const TOP = 'top'

/** Names by the rules that the service has. */
export function NameDialog({ asked, open, opened, onClose }: DialogProps) {
  const { actions } = opened
  const [name, setName] = useState(asked.name)
  const [isTouched, setTouched] = useState(false)
  const [isWorking, setWorking] = useState(false)
  const isTab = asked.kind === 'renameTab'
  const error = ruleOf(isTab ? QueryName : FolderName)(name, null)
  const save = async () => {
    setTouched(true)
    if (error !== undefined || isWorking) return
    setWorking(true)
    const isDone = await (asked.kind === 'newFolder'
      ? actions.createFolder(name.trim(), asked.id)
      : isTab
        ? actions.rename(asked.id, name.trim())
        : actions.renameFolder(asked.id, name.trim()))
    setWorking(false)
    if (isDone) onClose()
  }
  const title = t(`editor.dialogs.${asked.kind as 'newFolder' | 'renameFolder' | 'renameTab'}`)
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={title}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={isWorking} onClick={() => void save()}>
            {t(asked.kind === 'newFolder' ? 'editor.dialogs.create' : 'editor.dialogs.rename')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void save()
        }}
      >
        <TextField
          label={t(isTab ? 'editor.dialogs.queryName' : 'editor.dialogs.folderName')}
          value={name}
          data-autofocus
          error={isTouched ? error : undefined}
          onLeft={() => setTouched(true)}
          onChange={(event) => {
            setName(event.target.value)
            setTouched(true)
          }}
        />
      </form>
    </Dialog>
  )
}

/** What dragging does, for the keyboard. */
export function MoveDialog({ asked, open, opened, onClose }: DialogProps) {
  const [target, setTarget] = useState<string>(TOP)
  const [isWorking, setWorking] = useState(false)
  const isFolder = asked.kind === 'moveFolder'
  const folders = listFolders(opened.tree.data ?? { folders: [] }).filter(
    (folder) => !isFolder || !folder.ids.includes(asked.id),
  )
  const move = async () => {
    setWorking(true)
    const to = target === TOP ? '' : target
    const isDone = await (isFolder
      ? opened.actions.moveFolder(asked.id, to)
      : opened.actions.moveTab(asked.id, to))
    setWorking(false)
    if (isDone) onClose()
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={t('editor.dialogs.move', { name: asked.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" loading={isWorking} onClick={() => void move()}>
            {t('editor.dialogs.moveHere')}
          </Button>
        </>
      }
    >
      <Select
        label={t('editor.dialogs.target')}
        value={target}
        onChange={setTarget}
        searchable
        width="100%"
        options={[
          { value: TOP, label: t('editor.dialogs.top') },
          ...folders.map(({ id, path }) => ({ value: id, label: path.join(' / ') })),
        ]}
      />
    </Dialog>
  )
}

export function DeleteFolderDialog({ asked, open, opened, onClose }: DialogProps) {
  const folder = listFolders(opened.tree.data ?? { folders: [] }).find(({ id }) => id === asked.id)
  const count = folder?.tabs ?? 0
  return (
    <ConfirmDialog
      open={open}
      danger
      onClose={onClose}
      title={t('editor.dialogs.deleteFolder', { name: asked.name })}
      confirmLabel={t('editor.dialogs.deleteFolderButton')}
      onConfirm={async () => {
        await opened.deleteFolder(asked.id)
        onClose()
      }}
    >
      {count === 0 ? t('editor.dialogs.deleteEmpty') : t('editor.dialogs.deleteWith', { count })}
    </ConfirmDialog>
  )
}
