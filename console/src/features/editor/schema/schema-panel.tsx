import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useDeferredValue, useMemo, useState } from 'react'
import type { Ref } from 'react'
import { t } from '../../../i18n/texts.ts'
import { IconButton, useCopy } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { IconRefresh } from '../icons.ts'
import { placeId } from '../tabs/place.ts'
import { refreshSchema } from '../refreshing/refresh-schema.ts'
import { EVERYTHING } from '../refreshing/refresher.ts'
import { isNote } from './schema-notes.ts'
import type { Say } from './schema-notes.ts'
import { menuOf } from './schema-menu.ts'
import type { RowActions } from './schema-menu.ts'
import { iconOf, RowEnd } from './schema-row-parts.tsx'
import { schemaRows } from './schema-rows.ts'
import type { SchemaRow } from './schema-rows.ts'
import { PanelFailure, PanelLoading, PanelNote, SidePanel } from '../side-panel.tsx'
import { Tree } from '../../../ui/tree/tree.tsx'
import type { TreeHandle } from '../../../ui/tree/tree.tsx'
import type { ActedBy } from '../../../ui/tree/tree-item.tsx'
import type { TreeMenu } from '../../../ui/tree/use-tree-menu.tsx'
import { useFound } from './use-found.ts'
import { useChoosePlace, useOpenedPlace } from './use-place.ts'
import { useSchema } from './use-schema.ts'

const DropDialog = lazy(async () => ({ default: (await import('./drop-dialog.tsx')).DropDialog }))

interface Props {
  readonly tabId: string | null
  /** Inserts a name into the text, at the cursor. */
  readonly onInsert: (row: SchemaRow) => void
  readonly ref: Ref<TreeHandle>
}

/**
 * Catalogs, databases, tables, views, materialized views and their columns. The database that is chosen is the tab's.
 */
export function SchemaPanel({ tabId, onInsert, ref }: Props) {
  const { store, runner } = useEditorRuntime()
  const queries = useQueryClient()
  const copy = useCopy()
  const [filter, setFilter] = useState('')
  const [dropped, setDropped] = useState<{ row: SchemaRow; isOpen: boolean } | null>(null)
  const openRows = useEditorState(store, (state) => state.openRows)
  const activeId = useEditorState(store, ({ tabs }) => {
    const tab = tabId === null ? undefined : tabs[tabId]
    return tab ? placeId(tab) : null
  })
  const tree = useSchema(openRows)
  const choose = useChoosePlace(tabId)
  useOpenedPlace(tabId)
  // Typing stays responsive while a long list is searched.
  const sought = filter.trim()
  const settled = useDeferredValue(sought)
  // A search that is cleared closes at once what it had opened: later, it would close under the keys.
  const text = sought === '' ? '' : settled
  const found = useFound(text)
  const rows = useMemo(
    () => schemaRows(tree, { openRows, filter: text, say, found }),
    [tree, openRows, text, found],
  )

  const act = (row: SchemaRow, by: ActedBy) => {
    if (isNamed(row)) return by === 'click' ? undefined : onInsert(row)
    if (by === 'double') return
    if (row.retry) row.retry()
    else if (row.kind === 'catalog') store.toggleRow(row.id)
    else if (row.kind === 'database') {
      const isThere = row.id === activeId || tabId === null
      if (isThere && by === 'click') store.toggleRow(row.id)
      else choose(row.place)
    }
  }
  const actions: RowActions = {
    copy,
    insert: tabId === null ? null : onInsert,
    run: tabId === null ? null : (sql) => void runner.run(tabId, { sql, from: 0 }),
    choose: tabId === null ? null : choose,
    drop: (row) => setDropped({ row, isOpen: true }),
  }
  const menu: TreeMenu<SchemaRow> = {
    label: ({ name }) => t('editor.queries.actions', { name }),
    entries: (row) => menuOf(row, actions),
  }
  const endOf = (row: SchemaRow) => <RowEnd row={row} onInsert={onInsert} />
  const { list, error, retry } = tree.catalogs
  return (
    <SidePanel
      title={t('editor.schema.title')}
      actions={
        <IconButton
          label={t('editor.schema.refresh')}
          size="sm"
          onClick={() => void refreshSchema(queries, EVERYTHING)}
        >
          <IconRefresh size={15} aria-hidden />
        </IconButton>
      }
      filterLabel={t('editor.schema.filter')}
      filter={filter}
      onFilter={setFilter}
    >
      {!list && !error && <PanelLoading />}
      {!list && error?.codeName === 'NoPermission' && (
        <PanelNote>{t('editor.schema.denied.catalogs')}</PanelNote>
      )}
      {!list && error && error.codeName !== 'NoPermission' && (
        <PanelFailure message={t('editor.schema.failed.catalogs')} onRetry={() => void retry()} />
      )}
      {list && rows.length === 0 && (
        <PanelNote>
          {text === '' ? t('editor.schema.empty.catalogs') : t('editor.schema.noMatch', { text })}
        </PanelNote>
      )}
      {rows.length > 0 && (
        <Tree
          ref={ref}
          label={t('editor.schema.title')}
          rows={rows}
          activeId={activeId}
          isNote={isNote}
          icon={iconOf}
          end={endOf}
          onAct={act}
          onToggle={store.toggleRow}
          menu={menu}
        />
      )}
      {dropped && (
        <Suspense>
          <DropDialog
            row={dropped.row}
            open={dropped.isOpen}
            onClose={() => setDropped({ ...dropped, isOpen: false })}
          />
        </Suspense>
      )}
    </SidePanel>
  )
}

/** Its name is put into texts. */
const isNamed = ({ kind }: SchemaRow): boolean =>
  kind === 'table' || kind === 'view' || kind === 'materialized_view' || kind === 'column'

const say: Say = (kind, contents, count) => {
  if (kind === 'loading') return t('editor.schema.loading')
  if (kind === 'more') return t('editor.schema.more', { count })
  if (kind === 'empty') return t(`editor.schema.empty.${contents === 'databases' ? contents : 'objects'}`)
  return t(`editor.schema.${kind}.${contents}`)
}
