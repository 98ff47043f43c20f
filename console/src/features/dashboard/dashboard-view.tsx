import { dashboard as calls, type Dashboard, type FilterValues } from '@boathouse/contract/dashboard'
import { lazy, type RefObject, Suspense, useRef, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { useSession } from '../../lib/session.ts'
import { useNow } from '../../lib/use-now.ts'
import {
  Button,
  ConfirmDialog,
  EmptyState,
  IconButton,
  Menu,
  type MenuEntry,
  notify,
  PageHeader,
  Refusal,
  useCopy,
} from '../../ui/index.ts'
import { IconDots, IconPencil, IconRefresh } from '../../ui/icons.ts'
import type { DashboardPlaces } from './dashboard-page.tsx'
import { Filters } from './filters.tsx'
import { saveElement } from './save-element.ts'
import { TileGrid } from './tile-grid.tsx'
import { TileView } from './tile-view.tsx'
import { type TileResults, useResults } from './use-results.ts'
import styles from './dashboard.module.css'

const EmbedDialog = lazy(async () => ({
  default: (await import('./embedding/embed-dialog.tsx')).EmbedDialog,
}))
const SettingsDialog = lazy(async () => ({ default: (await import('./settings-dialog.tsx')).SettingsDialog }))

interface Props extends DashboardPlaces {
  readonly dashboard: Dashboard
  readonly values: FilterValues
  readonly onValues: (values: FilterValues) => void
  readonly onEdit: () => void
}

export function DashboardView({ dashboard, values, onValues, onEdit, onOpenQuery, onDeleted }: Props) {
  const { dashboardId, tiles, parameters, isOwn, owner, runsAs } = dashboard
  const page = useRef<HTMLDivElement>(null)
  const results = useResults(dashboardId, values, dashboard.revision)
  const now = useNow()
  const { refreshableAt } = results
  const againAt = refreshableAt !== null && Date.parse(refreshableAt) > now ? refreshableAt : null
  const hasStatements = tiles.some(({ kind }) => kind !== 'text')
  return (
    <div ref={page} className={styles['page']}>
      <PageHeader
        title={dashboard.name}
        facts={[
          !isOwn && t('dashboards.one.owner', { owner }),
          !(isOwn && runsAs === 'owner') && t(`dashboards.one.runsAs.${runsAs}`, { owner }),
          hasStatements && <Refreshed key="refreshed" results={results} />,
          againAt !== null && t('dashboards.one.again', { time: formatDateTime(againAt) }),
          dashboard.nextRunAt && <Next key="next" at={dashboard.nextRunAt} />,
        ]}
        actions={
          <div className={styles['buttons']}>
            {hasStatements && (
              <Button
                leftIcon={<IconRefresh size={16} aria-hidden />}
                loading={results.isRefreshing || results.running > 0}
                disabled={againAt !== null}
                onClick={() => results.refresh()}
              >
                {t('dashboards.one.refresh')}
              </Button>
            )}
            {isOwn && (
              <Button leftIcon={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
                {t('dashboards.one.edit')}
              </Button>
            )}
            <Actions dashboard={dashboard} page={page} onDeleted={onDeleted} />
          </div>
        }
      />
      {parameters.length > 0 && (
        <Filters key={JSON.stringify(values)} parameters={parameters} values={values} onApply={onValues} />
      )}
      {results.error && <Refusal text={results.error} />}
      {tiles.length === 0 && <NoTiles dashboard={dashboard} onEdit={onEdit} />}
      <TileGrid tiles={tiles}>
        {(tile) => (
          <TileView
            dashboardId={dashboardId}
            tile={tile}
            result={results.of?.get(tile.tileId)}
            onRefresh={() => results.refresh([tile.tileId])}
            onOpenQuery={isOwn && tile.tabId !== null ? () => onOpenQuery(tile.tabId ?? '') : null}
          />
        )}
      </TileGrid>
    </div>
  )
}

function NoTiles({ dashboard: { isOwn, owner }, onEdit }: Pick<Props, 'dashboard' | 'onEdit'>) {
  return (
    <EmptyState
      title={t('dashboards.one.empty')}
      actions={
        isOwn && (
          <Button variant="primary" onClick={onEdit}>
            {t('dashboards.one.edit')}
          </Button>
        )
      }
    >
      {isOwn ? t('dashboards.one.emptyOwn') : t('dashboards.one.emptyOther', { owner })}
    </EmptyState>
  )
}

function Refreshed({ results: { oldest, running } }: { results: TileResults }) {
  const now = useNow()
  if (running > 0) return <span role="status">{t('dashboards.one.refreshing', { count: running })}</span>
  if (oldest === null) return t('dashboards.one.neverRefreshed')
  return (
    <span title={formatDateTime(oldest)}>
      {t('dashboards.one.refreshed', { when: formatRelative(oldest, Math.max(now, Date.parse(oldest))) })}
    </span>
  )
}

function Next({ at }: { at: string }) {
  const now = useNow()
  return <span title={formatDateTime(at)}>{t('dashboards.one.next', { when: formatRelative(at, now) })}</span>
}

interface ActionsProps {
  readonly dashboard: Dashboard
  readonly page: RefObject<HTMLDivElement | null>
  readonly onDeleted: () => void
}

function Actions({ dashboard, page, onDeleted }: ActionsProps) {
  const { dashboardId, name, isOwn } = dashboard
  const [open, setOpen] = useState<'settings' | 'embed' | 'remove' | null>(null)
  const isAdmin = useSession().user?.activeRoles.includes('account_admin') ?? false
  const copy = useCopy()
  const picture = async () => {
    if (page.current && !(await saveElement(page.current, name)))
      notify({ tone: 'err', message: t('dashboards.one.pictureFailed') })
  }
  const entries: MenuEntry[] = [
    ...(isOwn
      ? [
          { label: t('dashboards.one.settings'), onSelect: () => setOpen('settings') },
          { label: t('dashboards.one.embed'), onSelect: () => setOpen('embed') },
        ]
      : []),
    { label: t('dashboards.one.link'), onSelect: () => copy(location.href) },
    { label: t('dashboards.one.fullScreen'), onSelect: () => void page.current?.requestFullscreen() },
    { label: t('dashboards.one.print'), onSelect: () => globalThis.print() },
    { label: t('dashboards.one.picture'), onSelect: () => void picture() },
    ...(isOwn || isAdmin
      ? ([
          { kind: 'divider' },
          { label: t('dashboards.one.remove'), danger: true, onSelect: () => setOpen('remove') },
        ] as const)
      : []),
  ]
  const remove = useAction(calls.delete, { refreshes: [calls.list] })
  const confirm = async () => {
    await remove.mutateAsync({ dashboardId })
    notify({ tone: 'ok', message: t('dashboards.removal.done') })
    onDeleted()
  }
  return (
    <>
      <Menu
        label={t('dashboards.one.more')}
        entries={entries}
        trigger={
          <IconButton label={t('dashboards.one.more')}>
            <IconDots size={16} aria-hidden />
          </IconButton>
        }
      />
      {open === 'settings' && (
        <Suspense fallback={null}>
          <SettingsDialog dashboard={dashboard} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'embed' && (
        <Suspense fallback={null}>
          <EmbedDialog dashboard={dashboard} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          open
          danger
          title={t('dashboards.removal.title', { name })}
          confirmLabel={t('dashboards.removal.confirm')}
          onConfirm={confirm}
          onClose={() => setOpen(null)}
        >
          <p>{t('dashboards.removal.body', { count: dashboard.tileCount })}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
