import { dashboard as calls, type Tile, type TileResult } from '@boathouse/contract/dashboard'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef } from 'react'
import { t } from '../../i18n/texts.ts'
import { queryKeyOf, useCall } from '../../lib/api.ts'
import { saveElement } from './save-element.ts'
import { Button, IconButton, Menu, type MenuEntry, notify, Skeleton, Spinner } from '../../ui/index.ts'
import { IconAlertTriangle, IconDots } from '../../ui/icons.ts'
import { TileContent, type TileRows } from './tile-content.tsx'
import styles from './dashboard.module.css'

interface Props {
  readonly dashboardId: string
  readonly tile: Tile
  /** Undefined: what there is of it is not known yet, or it was changed and not saved. */
  readonly result: TileResult | undefined
  readonly isUnsaved?: boolean
  readonly onRefresh?: () => void
  /** Null: it has no saved query that one can open. */
  readonly onOpenQuery?: (() => void) | null
  /** Instead of the actions of a viewer. */
  readonly entries?: readonly MenuEntry[]
  /** Around the title, to move it. */
  readonly handle?: ReactNode
}

export const titleOf = ({ title }: Pick<Tile, 'title'>): string => title || t('dashboards.tile.untitled')

export function TileView(props: Props) {
  const { dashboardId, tile, result, isUnsaved = false, onRefresh } = props
  const frame = useRef<HTMLElement>(null)
  const queries = useQueryClient()
  const runId = isUnsaved ? null : (result?.runId ?? null)
  const rows = useCall(
    calls.rows,
    { dashboardId, runId: runId ?? '' },
    { silent: true, enabled: runId !== null, staleTime: Infinity, placeholderData: (before) => before },
  )
  // Another run has replaced it meanwhile.
  const isReplaced = rows.error?.codeName === 'NotFound'
  useEffect(() => {
    if (isReplaced) void queries.invalidateQueries({ queryKey: queryKeyOf(calls.results) })
  }, [isReplaced, queries])
  const title = titleOf(tile)
  const picture = async () => {
    if (frame.current && !(await saveElement(frame.current, title)))
      notify({ tone: 'err', message: t('dashboards.one.pictureFailed') })
  }
  const entries: MenuEntry[] = [
    ...(onRefresh && tile.kind !== 'text'
      ? [{ label: t('dashboards.tile.refresh'), onSelect: onRefresh }]
      : []),
    { label: t('dashboards.tile.picture'), onSelect: () => void picture() },
    ...(props.onOpenQuery ? [{ label: t('dashboards.tile.openQuery'), onSelect: props.onOpenQuery }] : []),
  ]
  return (
    <section
      ref={frame}
      className={styles['tile']}
      aria-label={title}
      aria-busy={result?.isRunning || undefined}
    >
      <header className={styles['head']}>
        {props.handle ?? <h2>{tile.title}</h2>}
        {result?.isRunning && <Spinner size={14} label={t('dashboards.tile.running')} />}
        <span className={styles['menu']}>
          <Menu
            label={t('dashboards.tile.menu', { title })}
            entries={props.entries ?? entries}
            trigger={
              <IconButton size="sm" label={t('dashboards.tile.menu', { title })}>
                <IconDots size={16} aria-hidden />
              </IconButton>
            }
          />
        </span>
      </header>
      <div className={styles['body']}>
        {tile.kind === 'text' ? (
          <p className={styles['text']}>{tile.text}</p>
        ) : (
          <Shown
            {...props}
            rows={runId === null ? undefined : rows.data}
            error={isReplaced ? null : (rows.error?.message ?? null)}
          />
        )}
      </div>
    </section>
  )
}

interface ShownProps extends Props {
  readonly rows: TileRows | undefined
  readonly error: string | null
}

function Shown({ tile, result, isUnsaved, rows, error, onRefresh }: ShownProps) {
  if (isUnsaved) return <p className={styles['quiet']}>{t('dashboards.tile.unsaved')}</p>
  const failure = result?.error || (result?.runId ? error : null)
  if (failure && !result?.isRunning)
    return (
      <div className={styles['failure']} role="alert">
        <p>
          <IconAlertTriangle size={16} aria-hidden /> {t('dashboards.tile.failed')}
        </p>
        <p className={styles['note']}>{failure}</p>
        {onRefresh && (
          <Button size="sm" onClick={onRefresh}>
            {t('dashboards.tile.refresh')}
          </Button>
        )}
      </div>
    )
  if (rows) return <TileContent tile={tile} rows={rows} />
  if (result?.isRunning) return <p className={styles['quiet']}>{t('dashboards.tile.waiting')}</p>
  return <Skeleton height={120} />
}
