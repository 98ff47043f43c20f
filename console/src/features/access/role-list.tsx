import { perms, type RoleEntry } from '@boathouse/contract/perms'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Badge, Button, type TableColumn } from '../../ui/index.ts'
import type { ListProps } from './access-page.tsx'
import { CreateRole } from './create-role.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ListFrame, PAGE_SIZE } from './list-frame.tsx'
import { RowMenu } from './row-menu.tsx'
import { ToLink } from './to-link.tsx'
import { useMay } from './use-change.ts'

export function RoleList({ search, page, onSearch, onPage, onTotal, onOpen }: ListProps) {
  const { data } = useCall(
    perms.listRoles,
    { search: useSettled(search), page, pageSize: PAGE_SIZE },
    { placeholderData: (before) => before },
  )
  const [isCreating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState<string | null>(null)
  const mayCreate = useMay('role:create')
  const total = data?.total
  useEffect(() => {
    if (total !== undefined) onTotal(total)
  }, [total, onTotal])
  return (
    <>
      <ListFrame
        label={t('access.role.list')}
        searchLabel={t('access.role.search')}
        search={search}
        page={page}
        onSearch={onSearch}
        onPage={onPage}
        found={data}
        columns={columnsFor(onOpen, setDeleting)}
        rowKey={({ role }) => role}
        empty={t('access.role.empty')}
        why={t('access.role.emptyWhy')}
        action={
          <Button
            variant="primary"
            leftIcon={<IconPlus size={16} aria-hidden />}
            disabled={!mayCreate}
            onClick={() => setCreating(true)}
          >
            {t('access.role.create')}
          </Button>
        }
      />
      {isCreating && (
        <CreateRole onClose={() => setCreating(false)} onCreated={(role) => onOpen('role', role)} />
      )}
      {deleting && <DeleteDialog of={{ kind: 'role', name: deleting }} onClose={() => setDeleting(null)} />}
    </>
  )
}

const columnsFor = (
  onOpen: ListProps['onOpen'],
  onDelete: (role: string) => void,
): readonly TableColumn<RoleEntry>[] => [
  {
    key: 'name',
    header: t('access.role.column.name'),
    cell: ({ role }) => <ToLink kind="role" name={role} />,
  },
  {
    key: 'kind',
    header: t('access.role.column.kind'),
    cell: ({ isBuiltIn }) => (
      <Badge tone={isBuiltIn ? 'neutral' : 'accent'}>
        {isBuiltIn ? t('access.role.kind.builtIn') : t('access.role.kind.custom')}
      </Badge>
    ),
  },
  { key: 'users', header: t('access.role.column.users'), align: 'end', cell: ({ users }) => users },
  {
    key: 'inherits',
    header: t('access.role.column.inherits'),
    leastPx: 120,
    cell: ({ roles }) => <span title={roles.join(', ')}>{roles.join(', ')}</span>,
  },
  { key: 'grants', header: t('access.role.column.grants'), align: 'end', cell: ({ grants }) => grants },
  {
    key: 'comment',
    header: t('access.role.column.comment'),
    leastPx: 120,
    cell: ({ comment }) => <span title={comment}>{comment}</span>,
  },
  {
    key: 'actions',
    header: t('access.role.column.actions'),
    hideHeader: true,
    align: 'end',
    cell: ({ role, isBuiltIn }) => (
      <RowMenu
        of={{ kind: 'role', name: role }}
        isFixed={isBuiltIn}
        onOpen={() => onOpen('role', role)}
        onDelete={() => onDelete(role)}
      />
    ),
  },
]
