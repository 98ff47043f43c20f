import '../../i18n/dashboards.ts'
import { dashboard as calls, type ListedDashboard } from '@boathouse/contract/dashboard'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime, formatRelative } from '../../lib/format.ts'
import { useSettled } from '../../lib/settled.ts'
import { IconLayoutDashboard, IconPlus } from '../../ui/icons.ts'
import {
  Button,
  DataTable,
  EmptyState,
  ErrorState,
  Page,
  PageHeader,
  Pager,
  Skeleton,
  Stack,
  type TableColumn,
  TextField,
  Toolbar,
} from '../../ui/index.ts'
import { CreateDashboard } from './create-dashboard.tsx'

const PAGE_SIZE = 20

interface Props {
  readonly search: string
  readonly page: number
  readonly onSearch: (search: string) => void
  readonly onPage: (page: number) => void
  readonly pathOf: (dashboardId: string) => string
  readonly onOpen: (dashboardId: string) => void
}

const columnsOf = (pathOf: Props['pathOf'], now: number): TableColumn<ListedDashboard>[] => [
  {
    key: 'name',
    header: t('dashboards.column.name'),
    leastPx: 160,
    cell: ({ dashboardId, name }) => <Link to={pathOf(dashboardId)}>{name}</Link>,
  },
  { key: 'owner', header: t('dashboards.column.owner'), cell: ({ owner }) => owner },
  {
    key: 'viewers',
    header: t('dashboards.column.viewers'),
    cell: ({ viewers }) => t(`dashboards.viewers.${viewers}`),
  },
  { key: 'tiles', header: t('dashboards.column.tiles'), align: 'end', cell: ({ tileCount }) => tileCount },
  {
    key: 'changed',
    header: t('dashboards.column.changed'),
    cell: ({ updatedAt }) => (
      <span title={formatDateTime(updatedAt)}>
        {formatRelative(updatedAt, Math.max(now, Date.parse(updatedAt)))}
      </span>
    ),
  },
]

/** All dashboards that the user may see. */
export function DashboardsPage({ search, page, onSearch, onPage, pathOf, onOpen }: Props) {
  const [isCreating, setCreating] = useState(false)
  const { data, dataUpdatedAt, error, refetch } = useCall(
    calls.list,
    { search: useSettled(search), offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
    { silent: true, staleTime: 0, placeholderData: (before) => before },
  )
  const isEmpty = data?.dashboards.length === 0
  const isNarrowed = search !== '' || page > 1
  const create = (
    <Button variant="primary" leftIcon={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {t('dashboards.create')}
    </Button>
  )
  return (
    <Page>
      <PageHeader title={t('dashboards.title')} facts={[t('dashboards.lead')]} />
      <Stack>
        <Toolbar
          search={
            <TextField
              label={t('dashboards.search')}
              hideLabel
              type="search"
              maxLength={64}
              placeholder={t('dashboards.search')}
              value={search}
              onChange={({ target }) => onSearch(target.value)}
            />
          }
          action={data && (!isEmpty || isNarrowed) && create}
        />
        {error && !data && (
          <ErrorState title={t('dashboards.failed')} what={error.message} onRetry={() => void refetch()} />
        )}
        {!data && !error && <Skeleton height={180} />}
        {isEmpty && !isNarrowed && (
          <EmptyState
            icon={<IconLayoutDashboard size={22} stroke={1.5} aria-hidden />}
            title={t('dashboards.empty')}
            actions={create}
          >
            <p>{t('dashboards.emptyBody')}</p>
          </EmptyState>
        )}
        {isEmpty && isNarrowed && (
          <EmptyState
            title={t('dashboards.nothingFound')}
            actions={<Button onClick={() => onSearch('')}>{t('dashboards.showAll')}</Button>}
          >
            <p>{t('dashboards.nothingFoundBody')}</p>
          </EmptyState>
        )}
        {data && !isEmpty && (
          <DataTable
            label={t('dashboards.list')}
            columns={columnsOf(pathOf, dataUpdatedAt)}
            rows={data.dashboards}
            rowKey={({ dashboardId }) => dashboardId}
          />
        )}
        {data && (
          <Pager
            label={t('dashboards.list')}
            page={page}
            pageSize={PAGE_SIZE}
            total={data.total}
            onPage={onPage}
          />
        )}
      </Stack>
      {isCreating && <CreateDashboard onClose={() => setCreating(false)} onCreated={onOpen} />}
    </Page>
  )
}
