import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { ActivityPage } from '../../features/activity/activity-page.tsx'
import { StatementPage } from '../../features/activity/statement-page.tsx'
import { useNamePage } from '../page-name.ts'
import { editorPath } from '../paths.ts'
import { Placed } from './activity-places.tsx'

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
