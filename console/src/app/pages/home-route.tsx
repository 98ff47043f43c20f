import { useNavigate, useParams } from '@tanstack/react-router'
import { HomePage } from '../../features/home/home-page.tsx'
import { useSession } from '../../lib/session.ts'
import { editorPath, guidePath, signInPath } from '../paths.ts'

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
        onOpenTab={(tab) =>
          void navigate({ href: editorPath(place, { activeTab: tab.tabId, tabName: tab.tabName }) })
        }
      />
    )
  )
}
