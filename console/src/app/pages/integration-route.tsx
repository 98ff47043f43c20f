import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { IntegrationPage } from '../../features/integration/integration-page.tsx'
import { integrationPath } from '../paths.ts'

export function IntegrationRoute() {
  const place = useParams({ from: '/$region/$aid' })
  const shown = useSearch({ from: '/$region/$aid/integration' })
  const navigate = useNavigate()
  return (
    <IntegrationPage
      shown={shown}
      onShow={(search) => void navigate({ to: '.', search, replace: true })}
      addressOf={(name) => integrationPath(place, name)}
    />
  )
}
