import { useNavigate, useParams } from '@tanstack/react-router'
import { SharedResultPage } from '../../features/editor/sharing/shared-result-page.tsx'
import { useNamePage } from '../page-name.ts'
import { editorPath } from '../paths.ts'

export function SharedResultRoute() {
  const { region, aid, queryId } = useParams({ from: '/$region/$aid/editor/result/$queryId' })
  const navigate = useNavigate()
  return (
    <SharedResultPage
      key={queryId}
      queryId={queryId}
      onNamed={useNamePage()}
      onOpenTab={({ tabId, tabName }) =>
        void navigate({ href: editorPath({ region, aid }, { activeTab: tabId, tabName }) })
      }
    />
  )
}
