import '../../i18n/access.ts'
import { perms } from '@boathouse/contract/perms'
import { lazy, Suspense, useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Badge, DetailPage, PageHeader, Skeleton, Tabs } from '../../ui/index.ts'
import { DeleteDialog } from './delete-dialog.tsx'
import { DetailSkeleton } from './detail-skeleton.tsx'
import { GrantsList } from './grants-list.tsx'
import { Inheritance } from './inheritance.tsx'
import { Meanwhile } from './meanwhile.tsx'
import { Members } from './members.tsx'
import { RoleOverview } from './overview.tsx'
import { RowMenu } from './row-menu.tsx'
import type { DetailProps } from './user-detail-page.tsx'

const PrivilegeMatrix = lazy(async () => ({
  default: (await import('./privilege-matrix.tsx')).PrivilegeMatrix,
}))

export function RoleDetailPage({ name, tab, onTab, onNamed, onDeleted }: DetailProps) {
  const { data: found } = useCall(perms.describeRole, { role: name })
  const [isDeleting, setDeleting] = useState(false)
  const role = found?.role
  useEffect(() => {
    if (role) onNamed(role)
  }, [role, onNamed])
  if (!found || !role) return <DetailSkeleton />
  const grantee = { kind: 'role', name: role } as const
  const tabs = [
    {
      value: 'privileges',
      label: t('access.detail.privileges'),
      content: <GrantsList grantee={grantee} isFixed={found.isBuiltIn} />,
    },
    {
      value: 'matrix',
      label: t('access.matrix.title'),
      content: (
        <Suspense fallback={<Skeleton height={240} />}>
          <PrivilegeMatrix key={role} role={role} isFixed={found.isBuiltIn} />
        </Suspense>
      ),
    },
    { value: 'users', label: t('access.detail.users'), content: <Members of={found} /> },
    { value: 'inherits', label: t('access.detail.inherits'), content: <Inheritance of={found} /> },
  ]
  return (
    <DetailPage sideLabel={t('access.overview.title')} side={<RoleOverview of={found} />}>
      <PageHeader
        title={role}
        state={<Badge>{found.isBuiltIn ? t('access.builtIn') : t('access.custom')}</Badge>}
        facts={[found.comment, t('access.user.facts', { count: found.users })]}
        actions={<RowMenu of={grantee} isFixed={found.isBuiltIn} onDelete={() => setDeleting(true)} />}
      />
      <Meanwhile of={grantee} />
      <Tabs
        label={t('access.detail.tabs', { name: role })}
        value={tabs.some(({ value }) => value === tab) && tab ? tab : 'privileges'}
        onChange={onTab}
        items={tabs}
      />
      {isDeleting && <DeleteDialog of={grantee} onClose={() => setDeleting(false)} onDeleted={onDeleted} />}
    </DetailPage>
  )
}
