import { editor, type SavedTab } from '@boathouse/contract/editor'
import '../../../i18n/tab-menu.ts'
import { t } from '../../../i18n/texts.ts'
import { isCallError, send } from '../../../lib/api.ts'
import { keyNames } from '../../../ui/index.ts'
import type { MenuEntry } from '../../../ui/index.ts'
import { MenuList } from '../../../ui/menu-list.tsx'
import { useEditorRuntime } from '../editor-runtime.ts'
import { duplicateName } from './duplicate-name.ts'
import { useEditorState } from './editor-store.ts'
import { allTabs } from './query-tree.ts'
import type { OpenTab } from './use-open-tab.ts'

interface OpenMenu {
  readonly id: string
  /** Below what opened it. */
  readonly anchor: HTMLElement
  readonly opened: OpenTab
  readonly onClose: (returns: boolean) => void
}

const BELOW = { side: 'bottom', align: 'start' } as const

interface TabMenuProps extends OpenMenu {
  /** Undefined: no tab is shown. */
  readonly tab: SavedTab | undefined
  readonly onRename: (tab: SavedTab) => void
}

/** What is done with one tab. */
export function TabMenu({ opened, tab, onRename, ...list }: TabMenuProps) {
  const { store } = useEditorRuntime()
  /** As it is on the screen, or as it is saved where it was not looked at. */
  async function duplicate({ bizId: tabId, tabName, parentId }: SavedTab): Promise<void> {
    const tree = opened.tree.data
    if (!tree) return
    try {
      const of = store.tab(tabId) ?? (await send(editor.tabDetail, { tabId }))
      const taken = new Set(allTabs(tree).map((one) => one.tabName))
      opened.createFrom({
        tabName: duplicateName(tabName, taken, t('editor.queries.copy')),
        folderId: of.sample ? '' : parentId,
        sql: of.sql,
        catalog: of.catalog,
        database: of.database,
        parameters: [...of.parameters],
      })
    } catch (error) {
      // The call has shown why.
      if (!isCallError(error)) throw error
    }
  }
  return (
    <MenuList
      {...list}
      label={tab ? t('tabMenu.of', { name: tab.tabName }) : t('editor.tabs.menu')}
      beside={BELOW}
      width={270}
      entries={entriesOf({ opened, tab, onRename, duplicate })}
    />
  )
}

interface Acts extends Pick<TabMenuProps, 'opened' | 'tab' | 'onRename'> {
  readonly duplicate: (tab: SavedTab) => Promise<void>
}

function entriesOf({ opened, tab, onRename, duplicate }: Acts): MenuEntry[] {
  const reopen: MenuEntry = {
    label: t('editor.tabs.reopen'),
    hint: keyNames('Mod', 'Shift', 'T'),
    onSelect: () => void opened.reopenTab(),
  }
  if (!tab) return [reopen]
  const { bizId } = tab
  const isOwn = opened.isOwn(bizId)
  const rename: MenuEntry = { label: t('editor.tabs.rename'), hint: 'F2', onSelect: () => onRename(tab) }
  const remove: MenuEntry[] = [
    { kind: 'divider' },
    { label: t('editor.tabs.delete'), danger: true, onSelect: () => void opened.deleteTabs([bizId]) },
  ]
  return [
    ...(isOwn ? [rename] : []),
    { label: t('tabMenu.duplicate'), onSelect: () => void duplicate(tab) },
    { kind: 'divider' },
    {
      label: t('editor.tabs.close'),
      hint: keyNames('Alt', 'W'),
      onSelect: () => void opened.closeTab(bizId),
    },
    {
      label: t('editor.tabs.closeOthers'),
      disabled: opened.tabs.length < 2,
      onSelect: () => void opened.closeOthers(bizId),
    },
    {
      label: t('tabMenu.closeToRight'),
      disabled: opened.tabs.at(-1)?.bizId === bizId,
      onSelect: () => void opened.closeToRight(bizId),
    },
    reopen,
    ...(isOwn ? remove : []),
  ]
}

/** All open tabs by their names, with the database that each one uses. */
export function OpenTabsMenu({ opened, ...list }: OpenMenu) {
  const { store } = useEditorRuntime()
  const known = useEditorState(store, ({ tabs }) => tabs)
  return (
    <MenuList
      {...list}
      label={t('editor.tabs.label')}
      beside={{ side: 'bottom', align: 'end' }}
      width={300}
      entries={[
        { kind: 'heading', label: t('tabMenu.open', { count: opened.tabs.length }) },
        ...opened.tabs.map((tab): MenuEntry => ({
          label: <span aria-current={tab.bizId === opened.tabId || undefined}>{tab.tabName}</span>,
          hint: known[tab.bizId]?.database,
          onSelect: () => opened.openTab(tab.bizId),
        })),
      ]}
    />
  )
}
