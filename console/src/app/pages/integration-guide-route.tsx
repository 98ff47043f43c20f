import { useParams } from '@tanstack/react-router'
import { GuideText } from '../../features/guide/guide-text.tsx'
import { IntegrationGuidePage } from '../../features/integration/integration-guide-page.tsx'
import { useSession } from '../../lib/session.ts'
import { useNamePage } from '../page-name.ts'
import { guidePath, integrationPath } from '../paths.ts'

export function IntegrationGuideRoute() {
  const { region, aid, name } = useParams({ from: '/$region/$aid/integration/$name' })
  const { user } = useSession()
  const onNamed = useNamePage()
  const place = { region, aid }
  return (
    user && (
      <IntegrationGuidePage
        name={name}
        user={user}
        listAddress={integrationPath(place)}
        onNamed={onNamed}
        renderText={(source) => <GuideText source={source} addressOf={(page) => guidePath(place, page)} />}
      />
    )
  )
}
