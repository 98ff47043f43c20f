import '../../i18n/dashboards.ts'
import { dashboard as calls, type Dashboard, type FilterValues } from '@boathouse/contract/dashboard'
import { lazy, Suspense, useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/index.ts'
import { DashboardView } from './dashboard-view.tsx'
import styles from './dashboard.module.css'

const DashboardEditing = lazy(async () => ({
  default: (await import('./dashboard-editing.tsx')).DashboardEditing,
}))

export interface DashboardPlaces {
  readonly onOpenQuery: (tabId: string) => void
  readonly onDeleted: () => void
}

interface Props extends DashboardPlaces {
  readonly dashboardId: string
  readonly values: FilterValues
  readonly onValues: (values: FilterValues) => void
  readonly onNamed: (name: string) => void
}

/** One dashboard, as its viewers see it or as its owner changes it. */
export function DashboardPage({ dashboardId, onNamed, ...props }: Props) {
  const { data, error, refetch } = useCall(calls.detail, { dashboardId }, { silent: true, staleTime: 0 })
  // At the same time, and not after it: the page is painted one answer sooner.
  useCall(calls.results, { dashboardId, values: props.values }, { silent: true })
  const name = data?.dashboard.name
  useEffect(() => {
    if (name !== undefined) onNamed(name)
  }, [name, onNamed])
  if (data) return <Shown dashboard={data.dashboard} {...props} />
  if (error?.codeName === 'NotFound' || error?.codeName === 'BadInput')
    return (
      <EmptyState page title={t('dashboards.missing')}>
        {t('dashboards.missingBody')}
      </EmptyState>
    )
  if (error)
    return (
      <ErrorState
        page
        title={t('dashboards.one.failed')}
        what={error.message}
        onRetry={() => void refetch()}
      />
    )
  return (
    <div className={styles['page']}>
      <Skeleton height={48} />
      <Skeleton height={320} />
    </div>
  )
}

function Shown({
  dashboard,
  ...props
}: Omit<Props, 'dashboardId' | 'onNamed'> & { readonly dashboard: Dashboard }) {
  const [isEditing, setEditing] = useState(false)
  if (!isEditing) return <DashboardView dashboard={dashboard} {...props} onEdit={() => setEditing(true)} />
  return (
    <Suspense fallback={<Skeleton height={320} />}>
      <DashboardEditing dashboard={dashboard} onClose={() => setEditing(false)} />
    </Suspense>
  )
}
