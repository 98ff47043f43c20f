import { DEFAULT_CATALOG, DEFAULT_DATABASE } from '@boathouse/contract/schema'
import { useNavigate, useParams } from '@tanstack/react-router'
import { HomePage } from '../../features/home/home-page.tsx'
import { useSession } from '../../lib/session.ts'
import { catalogPath, loadPath, pipePath } from '../catalog-path.ts'
import { dashboardPath, editorPath, guidePath, signInPath, statementPath } from '../paths.ts'

const FIRST_CATALOG = { catalog: DEFAULT_CATALOG, catalogType: 'Internal' }

export function HomeRoute() {
  const place = useParams({ from: '/$region/$aid' })
  const navigate = useNavigate()
  const { user } = useSession()
  const address = new URL(signInPath(place.aid, place.region), window.location.origin).href
  return (
    user && (
      <HomePage
        user={user}
        signInAddress={address}
        editorAddress={editorPath(place)}
        guideAddress={(page) => guidePath(place, page)}
        recent={{
          query: ({ tabId, tabName }) => editorPath(place, { activeTab: tabId, tabName }),
          dashboard: (dashboardId) => dashboardPath(place, dashboardId),
          statement: (queryId) => statementPath(place, queryId),
          table: ({ catalog, database, type, name }) =>
            catalogPath(place, { catalog, catalogType: 'Internal' }, { database, object: { type, name } }),
          failure: ({ kind, name, catalog, databaseName: database }) =>
            kind === 'pipe'
              ? pipePath(place, { catalog, catalogType: 'Internal' }, { database, pipe: name })
              : loadPath(place, { catalog, catalogType: 'Internal' }, { database }),
        }}
        loadInto={{ catalog: DEFAULT_CATALOG, databaseName: DEFAULT_DATABASE }}
        onLoad={() => void navigate({ href: loadPath(place, FIRST_CATALOG, { database: DEFAULT_DATABASE }) })}
        onOpenTab={(tab) =>
          void navigate({ href: editorPath(place, { activeTab: tab.tabId, tabName: tab.tabName }) })
        }
      />
    )
  )
}
