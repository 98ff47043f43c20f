import { parametersFor } from '@boathouse/contract/bound-parameters'
import { dashboard as calls, type Dashboard, type Tile } from '@boathouse/contract/dashboard'
import { LIMITS } from '@boathouse/contract/limits'
import { placeFor } from '@boathouse/contract/tile-place'
import { namedParametersIn } from '@boathouse/sql'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { queryKeyOf, useAction } from '../../lib/api.ts'
import { type MenuEntry, notify } from '../../ui/index.ts'
import { bottomOf, packed } from './layout.ts'
import { titleOf } from './tile-view.tsx'
import { useDraft } from './use-draft.ts'

export const newTile = (tiles: readonly Tile[]): Tile => ({
  tileId: crypto.randomUUID(),
  title: '',
  kind: 'chart',
  ...placeFor(tiles, 'chart'),
  text: '',
  sql: '',
  catalog: '',
  database: '',
  warehouseId: null,
  tabId: null,
  chart: null,
})

/** The filters that these tiles name. */
const filtersOf = (tiles: readonly Tile[], known: Dashboard['parameters']) =>
  parametersFor([...new Set(tiles.flatMap(({ sql }) => namedParametersIn(sql)))], known)

/** What is changed of a dashboard, and saved at once. */
export function useEditing(dashboard: Dashboard, onClose: () => void) {
  const { dashboardId, revision } = dashboard
  const { draft, isChanged, change, undo } = useDraft(dashboard)
  const [moved, setMoved] = useState('')
  const queries = useQueryClient()
  const save = useAction(calls.save, { refreshes: [calls.list, calls.results] })
  const { tiles } = draft
  const put = (next: readonly Tile[]) =>
    change({ tiles: [...next], parameters: filtersOf(next, draft.parameters) })
  return {
    draft,
    isChanged,
    change,
    undo,
    /** Where the last tile was moved to, in words. */
    moved,
    isSaving: save.isPending,
    refusal: save.error?.message,
    place(next: readonly Tile[], { tileId }: Tile) {
      change({ tiles: [...next] })
      const there = next.find((tile) => tile.tileId === tileId)
      if (!there) return
      const { x, y, w, h } = there
      setMoved(t('dashboards.tile.placed', { title: titleOf(there), x: x + 1, y: y + 1, w, h }))
    },
    keep(tile: Tile) {
      const isThere = tiles.some(({ tileId }) => tileId === tile.tileId)
      put(
        isThere
          ? tiles.map((one) => (one.tileId === tile.tileId ? tile : one))
          : packed([...tiles, { ...tile, ...placeFor(tiles, tile.kind) }]),
      )
    },
    entriesOf: (tile: Tile, onEdit: () => void): MenuEntry[] => [
      { label: t('dashboards.tile.edit'), onSelect: onEdit },
      {
        label: t('dashboards.tile.duplicate'),
        disabled: tiles.length >= LIMITS.tilesPerDashboard,
        onSelect: () => put(packed([...tiles, { ...tile, tileId: crypto.randomUUID(), y: bottomOf(tiles) }])),
      },
      {
        label: t('dashboards.tile.remove'),
        danger: true,
        onSelect: () => put(packed(tiles.filter(({ tileId }) => tileId !== tile.tileId))),
      },
    ],
    async save(): Promise<void> {
      try {
        const saved = await save.mutateAsync({ dashboardId, revision, ...draft })
        queries.setQueryData(queryKeyOf(calls.detail, { dashboardId }), saved)
      } catch {
        return
      }
      notify({ tone: 'ok', message: t('dashboards.edit.saved') })
      onClose()
    },
  }
}

export type Editing = ReturnType<typeof useEditing>
