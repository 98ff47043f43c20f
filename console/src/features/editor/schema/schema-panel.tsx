import { useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useMemo, useState } from 'react'
import type { Ref } from 'react'
import { t } from '../../../i18n/texts.ts'
import { IconButton } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { IconRefresh } from '../icons.ts'
import { placeId } from '../tabs/place.ts'
import { EVERYTHING } from '../refreshing/refresher.ts'
import { refreshSchema } from '../refreshing/refresh-schema.ts'
import { isNote } from './schema-notes.ts'
import type { Say } from './schema-notes.ts'
import { iconOf, RowEnd } from './schema-row-parts.tsx'
import { schemaRows } from './schema-rows.ts'
import type { SchemaRow } from './schema-rows.ts'
import { PanelFailure, PanelLoading, PanelNote, SidePanel } from '../side-panel.tsx'
import { Tree } from '../../../ui/tree/tree.tsx'
import type { ActedBy, TreeHandle } from '../../../ui/tree/tree.tsx'
import { useChoosePlace, useOpenedPlace } from './use-place.ts'
import { useSchema } from './use-schema.ts'

interface Props {
  readonly tabId: string | null
  /** Puts a name into the text, where the cursor stands. */
  readonly onInsert: (row: SchemaRow) => void
  readonly ref: Ref<TreeHandle>
}

/** EDITOR-02: catalogs, databases, tables and views. The database that is chosen is the tab's. */
export function SchemaPanel({ tabId, onInsert, ref }: Props) {
  const { store } = useEditorRuntime()
  const queries = useQueryClient()
  const [filter, setFilter] = useState('')
  const openRows = useEditorState(store, (state) => state.openRows)
  const activeId = useEditorState(store, ({ tabs }) => {
    const tab = tabId === null ? undefined : tabs[tabId]
    return tab ? placeId(tab) : null
  })
  const tree = useSchema(openRows)
  const choose = useChoosePlace(tabId)
  useOpenedPlace(tabId)
  // Typing goes on while a long list is searched.
  const text = useDeferredValue(filter.trim())
  const rows = useMemo(() => schemaRows(tree, { openRows, filter: text, say }), [tree, openRows, text])

  const act = (row: SchemaRow, by: ActedBy) => {
    if (row.kind === 'table' || row.kind === 'view') return by === 'click' ? undefined : onInsert(row)
    if (by === 'double') return
    if (row.retry) row.retry()
    else if (row.kind === 'catalog') store.toggleRow(row.id)
    else if (row.kind === 'database') {
      const isThere = row.id === activeId || tabId === null
      if (isThere && by === 'click') store.toggleRow(row.id)
      else choose(row.place)
    }
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
        />
      )}
    </SidePanel>
  )
}

const say: Say = (kind, contents, count) => {
  if (kind === 'loading') return t('editor.schema.loading')
  if (kind === 'more') return t('editor.schema.more', { count })
  if (kind === 'empty') return t(`editor.schema.empty.${contents === 'databases' ? contents : 'objects'}`)
  return t(`editor.schema.${kind}.${contents}`)
}
