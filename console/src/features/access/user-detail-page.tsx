import '../../i18n/access.ts'
import { perms } from '@boathouse/contract/perms'
import { type ReactNode, useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { Badge, DetailPage, PageHeader, Tabs } from '../../ui/index.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DetailSkeleton } from './detail-skeleton.tsx'
import { EffectiveList } from './effective-list.tsx'
import { GrantsList } from './grants-list.tsx'
import { HeldRoles } from './held-roles.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { UserOverview } from './overview.tsx'
import { SetEmail } from './set-email.tsx'
import { useMay } from './use-change.ts'
import { RowMenu } from './row-menu.tsx'
import { rolesText } from './user-columns.tsx'
import { Why } from './why.tsx'

/** Of users there is an address to set. */
export interface UserDetailProps extends DetailProps {
  readonly businessMailOnly: boolean
  /** The list of their API keys. */
  readonly renderKeys: (owner: {
    readonly user: string
    readonly kind: 'self' | 'service' | 'person'
  }) => ReactNode
}

export interface DetailProps {
  /** From the address. */
  readonly name: string
  readonly tab: string | undefined
  readonly onTab: (tab: string) => void
  readonly onNamed: (name: string) => void
  readonly onDeleted: () => void
}

export function UserDetailPage(props: UserDetailProps) {
  const { name, tab, onTab, onNamed, onDeleted, businessMailOnly, renderKeys } = props
  const { data: found } = useCall(perms.describeUser, { user: name })
  const [isDeleting, setDeleting] = useState(false)
  const [isSetting, setSetting] = useState(false)
  const mayChange = useMay('user:create')
  const me = useSession().user?.user
  const user = found?.user
  useEffect(() => {
    if (user) onNamed(user)
  }, [user, onNamed])
  if (!found || !user) return <DetailSkeleton />
  const kind = user === me ? 'self' : found.isService ? 'service' : 'person'
  const tabs = [
    { value: 'roles', label: t('access.detail.roles'), content: <HeldRoles user={user} /> },
    {
      value: 'privileges',
      label: t('access.detail.privileges'),
      content: <GrantsList grantee={{ kind: 'user', name: user }} isFixed={false} />,
    },
    {
      value: 'effective',
      label: t('access.detail.effective'),
      content: <EffectiveList user={user} />,
    },
    { value: 'keys', label: t('access.detail.keys'), content: renderKeys({ user, kind }) },
    { value: 'why', label: t('access.detail.why'), content: <Why user={user} /> },
  ]
  return (
    <DetailPage
      sideLabel={t('access.overview.title')}
      side={
        <UserOverview
          of={found}
          isSelf={user === me}
          onSetEmail={mayChange && user !== me && !found.isService ? () => setSetting(true) : null}
        />
      }
    >
      <PageHeader
        title={user}
        state={
          (found.isCreator && <Badge tone="accent">{t('access.creator')}</Badge>) ||
          (found.isService && <Badge>{t('access.serviceUser')}</Badge>)
        }
        facts={[found.email, rolesText(found.roles)]}
        actions={
          <RowMenu
            of={{ kind: 'user', name: user }}
            isFixed={user === me}
            onDelete={() => setDeleting(true)}
          />
        }
      />
      <Meanwhile of={{ kind: 'user', name: user }} />
      <Tabs
        label={t('access.detail.tabs', { name: user })}
        value={tabs.some(({ value }) => value === tab) && tab ? tab : 'roles'}
        onChange={onTab}
        items={tabs}
      />
      {isSetting && (
        <SetEmail of={found} businessMailOnly={businessMailOnly} onClose={() => setSetting(false)} />
      )}
      {isDeleting && (
        <DeleteDialog
          of={{ kind: 'user', name: user }}
          onClose={() => setDeleting(false)}
          onDeleted={onDeleted}
        />
      )}
    </DetailPage>
  )
}
