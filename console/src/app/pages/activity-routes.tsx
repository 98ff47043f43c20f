import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { ActivityPage } from '../../features/activity/activity-page.tsx'
import { PlacesContext } from '../../features/activity/places.ts'
import { StatementPage } from '../../features/activity/statement-page.tsx'
import { useNamePage } from '../page-name.ts'
import { activityPath, editorPath, statementPath } from '../paths.ts'

export function Placed({ children }: { children: ReactNode }) {
  const { region, aid } = useParams({ from: '/$region/$aid' })
  const places = useMemo(
    () => ({
      statement: (queryId: string) => statementPath({ region, aid }, queryId),
      list: (search: { readonly warehouse?: string }) => activityPath({ region, aid }, search),
    }),
    [region, aid],
  )
  return <PlacesContext value={places}>{children}</PlacesContext>
}

export function ActivityRoute() {
  const shown = useSearch({ from: '/$region/$aid/activity' })
  const navigate = useNavigate()
  return (
    <Placed>
      <ActivityPage
        shown={shown}
        onShow={(search) => void navigate({ to: '.', search: { ...search }, replace: true })}
      />
    </Placed>
  )
}

export function StatementRoute() {
  const { region, aid, queryId } = useParams({ from: '/$region/$aid/activity/query_{$queryId}' })
  const navigate = useNavigate()
  const onNamed = useNamePage()
  return (
    <Placed>
      <StatementPage
        queryId={queryId}
        onNamed={onNamed}
        onOpenTab={({ tabId, tabName }) =>
          void navigate({ href: editorPath({ region, aid }, { activeTab: tabId, tabName }) })
        }
      />
    </Placed>
  )
}
