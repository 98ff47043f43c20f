import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import type { FilterValues } from '@boathouse/contract/dashboard'
import { DashboardPage } from '../../features/dashboard/dashboard-page.tsx'
import { DashboardsPage } from '../../features/dashboard/dashboards-page.tsx'
import { useNamePage } from '../page-name.ts'
import { dashboardPath, editorPath } from '../paths.ts'

export function DashboardsRoute() {
  const { region, aid } = useParams({ from: '/$region/$aid' })
  const { search = '', page = '1' } = useSearch({ from: '/$region/$aid/dashboards' })
  const navigate = useNavigate()
  const go = (next: { search?: string; page?: string }) =>
    void navigate({ href: dashboardPath({ region, aid }, undefined, next), replace: true })
  return (
    <DashboardsPage
      search={search}
      page={Math.max(1, Number.parseInt(page, 10) || 1)}
      onSearch={(next) => go({ search: next })}
      onPage={(next) => go({ search, page: String(next) })}
      pathOf={(dashboardId) => dashboardPath({ region, aid }, dashboardId)}
      onOpen={(dashboardId) => void navigate({ href: dashboardPath({ region, aid }, dashboardId) })}
    />
  )
}

/** What somebody wrote into the address is checked by the service; what is no JSON counts as none. */
function valuesIn(text: string): FilterValues {
  try {
    const found: unknown = JSON.parse(text)
    if (typeof found !== 'object' || found === null) return {}
    const entries = Object.entries(found).filter(
      (entry): entry is [string, string[]] =>
        Array.isArray(entry[1]) && entry[1].every((one) => typeof one === 'string'),
    )
    return Object.fromEntries(entries)
  } catch {
    return {}
  }
}

export function DashboardRoute() {
  const { region, aid, dashboardId } = useParams({ from: '/$region/$aid/dashboards/$dashboardId' })
  const { values: text = '{}' } = useSearch({ from: '/$region/$aid/dashboards/$dashboardId' })
  const navigate = useNavigate()
  const values = useMemo(() => valuesIn(text), [text])
  const onValues = useCallback(
    (next: FilterValues) => {
      const search = Object.keys(next).length > 0 ? { values: JSON.stringify(next) } : {}
      void navigate({ href: dashboardPath({ region, aid }, dashboardId, search), replace: true })
    },
    [navigate, region, aid, dashboardId],
  )
  return (
    <DashboardPage
      dashboardId={dashboardId}
      values={values}
      onValues={onValues}
      onNamed={useNamePage()}
      onOpenQuery={(tabId) => void navigate({ href: editorPath({ region, aid }, { activeTab: tabId }) })}
      onDeleted={() => void navigate({ href: dashboardPath({ region, aid }) })}
    />
  )
}
