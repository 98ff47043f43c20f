import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { AccessPage } from '../../features/access/access-page.tsx'
import { PlacesContext } from '../../features/access/places.ts'
import { RoleDetailPage } from '../../features/access/role-detail-page.tsx'
import { UserDetailPage } from '../../features/access/user-detail-page.tsx'
import { KeyList } from '../../features/key/key-list.tsx'
import { isBusinessMailOnly } from '../business-mail.ts'
import { useNamePage } from '../page-name.ts'
import { accessPath } from '../paths.ts'

function Placed({ children }: { children: ReactNode }) {
  const { region, aid } = useParams({ from: '/$region/$aid' })
  const places = useMemo(
    () => ({ addressOf: (kind: 'user' | 'role', name: string) => accessPath({ region, aid }, kind, name) }),
    [region, aid],
  )
  return <PlacesContext value={places}>{children}</PlacesContext>
}

export function AccessRoute() {
  const place = useParams({ from: '/$region/$aid' })
  const shown = useSearch({ from: '/$region/$aid/admin/access' })
  const navigate = useNavigate()
  return (
    <Placed>
      <AccessPage
        shown={shown}
        onShow={(search) => void navigate({ to: '.', search, replace: true })}
        onOpen={(kind, name) => void navigate({ href: accessPath(place, kind, name) })}
        businessMailOnly={isBusinessMailOnly()}
      />
    </Placed>
  )
}

function useDetail() {
  const place = useParams({ from: '/$region/$aid' })
  const navigate = useNavigate()
  return {
    onTab: (tab: string) => void navigate({ to: '.', search: { tab }, replace: true }),
    onNamed: useNamePage(),
    onGone: (tab: string) => void navigate({ href: `${accessPath(place)}?tab=${tab}` }),
  }
}

export function AccessUserRoute() {
  const { user } = useParams({ from: '/$region/$aid/admin/access/user/$user' })
  const { tab } = useSearch({ from: '/$region/$aid/admin/access/user/$user' })
  const { onTab, onNamed, onGone } = useDetail()
  return (
    <Placed>
      <UserDetailPage
        name={user}
        tab={tab}
        onTab={onTab}
        onNamed={onNamed}
        onDeleted={() => onGone('user')}
        businessMailOnly={isBusinessMailOnly()}
        renderKeys={(owner) => <KeyList owner={owner} />}
      />
    </Placed>
  )
}

export function AccessRoleRoute() {
  const { role } = useParams({ from: '/$region/$aid/admin/access/role/$role' })
  const { tab } = useSearch({ from: '/$region/$aid/admin/access/role/$role' })
  const { onTab, onNamed, onGone } = useDetail()
  return (
    <Placed>
      <RoleDetailPage
        name={role}
        tab={tab}
        onTab={onTab}
        onNamed={onNamed}
        onDeleted={() => onGone('role')}
      />
    </Placed>
  )
}
