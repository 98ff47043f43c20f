import { useNavigate, useSearch } from '@tanstack/react-router'
import { SecurityPage } from '../../features/security/security-page.tsx'
import { readSecuritySearch } from '../search.ts'

export function SecurityRoute() {
  const { tab } = useSearch({ from: '/$region/$aid/admin/security' })
  const navigate = useNavigate({ from: '/$region/$aid/admin/security' })
  return (
    <SecurityPage
      tab={tab ?? 'sso'}
      onTab={(next) => void navigate({ search: readSecuritySearch({ tab: next }) })}
    />
  )
}
