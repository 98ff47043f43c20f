import { dashboard as calls, type Dashboard, DashboardName, type Tile } from '@boathouse/contract/dashboard'
import { LIMITS } from '@boathouse/contract/limits'
import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { queryKeyOf } from '../../lib/api.ts'
import { Button, ConfirmDialog, NameField, Refusal, useProblems } from '../../ui/index.ts'
import { IconPlus } from '../../ui/icons.ts'
import { FirstValues } from './first-values.tsx'
import { inOrder } from './layout.ts'
import { MovableTile } from './movable-tile.tsx'
import type { TileRows } from './tile-content.tsx'
import { TileDialog } from './tile-dialog.tsx'
import { TileView } from './tile-view.tsx'
import { type Editing, newTile, useEditing } from './use-editing.ts'
import { useResults } from './use-results.ts'
import styles from './dashboard.module.css'

interface Props {
  readonly dashboard: Dashboard
  readonly onClose: () => void
}

interface OpenTile {
  readonly tile: Tile
  readonly isNew: boolean
}

/** Where a tile is while another is dragged. The order stays: an element that is put elsewhere lets go of the pointer. */
const placedAs = (preview: readonly Tile[] | null) => (tile: Tile) =>
  preview?.find(({ tileId }) => tileId === tile.tileId) ?? tile

/** What runs for both is the same. */
const isSameText = (one: Tile, other: Tile | undefined): boolean =>
  other !== undefined &&
  one.sql === other.sql &&
  one.catalog === other.catalog &&
  one.database === other.database

/** Tiles are added, moved and resized here, and saved at once. */
export function DashboardEditing({ dashboard, onClose }: Props) {
  const { dashboardId, revision } = dashboard
  const editing = useEditing(dashboard, onClose)
  const { draft } = editing
  const [preview, setPreview] = useState<readonly Tile[] | null>(null)
  const [open, setOpen] = useState<OpenTile | null>(null)
  const queries = useQueryClient()
  const results = useResults(dashboardId, {}, revision)
  const savedTile = (tileId: string) => dashboard.tiles.find((one) => one.tileId === tileId)
  const rowsOf = ({ tileId }: Tile): TileRows | undefined => {
    const runId = results.of?.get(tileId)?.runId
    return runId ? queries.getQueryData(queryKeyOf(calls.rows, { dashboardId, runId })) : undefined
  }
  return (
    <div className={styles['page']}>
      <Bar
        editing={editing}
        onAdd={() => setOpen({ tile: newTile(draft.tiles), isNew: true })}
        onClose={onClose}
      />
      {editing.refusal && <Refusal text={editing.refusal} />}
      <p className={styles['note']}>{t('dashboards.edit.hint')}</p>
      {draft.parameters.length > 0 && (
        <FirstValues
          parameters={draft.parameters}
          onChange={(next) =>
            editing.change({
              parameters: draft.parameters.map((one) => (one.name === next.name ? next : one)),
            })
          }
        />
      )}
      <div className="visually-hidden" role="status">
        {editing.moved}
      </div>
      <div className={styles['grid']} role="group" aria-label={t('dashboards.one.grid')}>
        {inOrder(draft.tiles)
          .map(placedAs(preview))
          .map((tile) => (
            <MovableTile
              key={tile.tileId}
              tile={tile}
              tiles={draft.tiles}
              onPreview={setPreview}
              onPlaced={(next) => editing.place(next, tile)}
            >
              {(handle) => (
                <TileView
                  dashboardId={dashboardId}
                  tile={tile}
                  result={results.of?.get(tile.tileId)}
                  isUnsaved={tile.kind !== 'text' && !isSameText(tile, savedTile(tile.tileId))}
                  entries={editing.entriesOf(tile, () => setOpen({ tile, isNew: false }))}
                  handle={handle}
                />
              )}
            </MovableTile>
          ))}
      </div>
      {open && (
        <TileDialog
          tile={open.tile}
          isNew={open.isNew}
          rows={rowsOf(open.tile)}
          onApply={editing.keep}
          onClose={() => setOpen(null)}
        />
      )}
    </div>
  )
}

interface BarProps {
  readonly editing: Editing
  readonly onAdd: () => void
  readonly onClose: () => void
}

/** The name, and what is done with all of it. Nobody leaves with changes that are not saved, unless they say so. */
function Bar({ editing, onAdd, onClose }: BarProps) {
  const { draft, isChanged } = editing
  const [isLeaving, setLeaving] = useState(false)
  const blocker = useBlocker({
    shouldBlockFn: () => isChanged,
    enableBeforeUnload: () => isChanged,
    withResolver: true,
  })
  const name = DashboardName.safeParse(draft.name)
  const problems = useProblems({ name: name.success ? undefined : name.error.issues[0]?.message })
  const save = () => {
    if (problems.accept()) void (isChanged ? editing.save() : onClose())
  }
  return (
    <div className={styles['filters']}>
      <div className={styles['filter']}>
        <NameField
          label={t('dashboards.name')}
          {...problems.of('name')}
          value={draft.name}
          onChange={({ target }) => editing.change({ name: target.value })}
        />
      </div>
      <div className={styles['buttons']}>
        <Button
          leftIcon={<IconPlus size={16} aria-hidden />}
          disabled={draft.tiles.length >= LIMITS.tilesPerDashboard}
          onClick={onAdd}
        >
          {t('dashboards.edit.addTile')}
        </Button>
        <Button disabled={!isChanged} onClick={editing.undo}>
          {t('dashboards.edit.undo')}
        </Button>
        <Button onClick={() => (isChanged ? setLeaving(true) : onClose())}>
          {t('dashboards.edit.cancel')}
        </Button>
        <Button variant="primary" loading={editing.isSaving} onClick={save}>
          {t('dashboards.edit.save')}
        </Button>
      </div>
      {(isLeaving || blocker.status === 'blocked') && (
        <ConfirmDialog
          open
          danger
          title={t('dashboards.edit.discard.title')}
          confirmLabel={t('dashboards.edit.discard.confirm')}
          onConfirm={async () => (blocker.status === 'blocked' ? blocker.proceed() : onClose())}
          onClose={() => {
            setLeaving(false)
            blocker.reset?.()
          }}
        >
          <p>{t('dashboards.edit.discard.body')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
