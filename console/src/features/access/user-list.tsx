import { perms, type UserEntry } from '@boathouse/contract/perms'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import { useSettled } from '../../lib/settled.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Button, type TableColumn } from '../../ui/index.ts'
import type { ListProps } from './access-page.tsx'
import { CreateUser } from './create-user.tsx'
import { DeleteDialog } from './delete-dialog.tsx'
import { ListFrame, PAGE_SIZE } from './list-frame.tsx'
import { RowMenu } from './row-menu.tsx'
import { useMay } from './use-change.ts'
import { userColumns } from './user-columns.tsx'

interface Props extends ListProps {
  readonly businessMailOnly: boolean
}

export function UserList(props: Props) {
  const { search, page, onSearch, onPage, onTotal, onOpen, businessMailOnly } = props
  const { data, dataUpdatedAt } = useCall(
    perms.listUsers,
    { search: useSettled(search), page, pageSize: PAGE_SIZE },
    { placeholderData: (before) => before },
  )
  const [isCreating, setCreating] = useState(false)
  const [deleting, setDeleting] = useState<string | null>(null)
  const mayCreate = useMay('user:create')
  const me = useSession().user?.user
  const total = data?.total
  useEffect(() => {
    if (total !== undefined) onTotal(total)
  }, [total, onTotal])
  return (
    <>
      <ListFrame
        label={t('access.user.list')}
        searchLabel={t('access.user.search')}
        search={search}
        page={page}
        onSearch={onSearch}
        onPage={onPage}
        found={data}
        columns={[...userColumns(dataUpdatedAt), actionsColumn({ me, onOpen, onDelete: setDeleting })]}
        rowKey={({ user }) => user}
        empty={t('access.user.empty')}
        why={t('access.user.emptyWhy')}
        action={
          <Button
            variant="primary"
            leftIcon={<IconPlus size={16} aria-hidden />}
            disabled={!mayCreate}
            onClick={() => setCreating(true)}
          >
            {t('access.user.create')}
          </Button>
        }
      />
      {isCreating && (
        <CreateUser
          businessMailOnly={businessMailOnly}
          onClose={() => setCreating(false)}
          onCreated={(user) => onOpen('user', user)}
        />
      )}
      {deleting && <DeleteDialog of={{ kind: 'user', name: deleting }} onClose={() => setDeleting(null)} />}
    </>
  )
}

interface Actions {
  readonly me: string | undefined
  readonly onOpen: ListProps['onOpen']
  readonly onDelete: (user: string) => void
}

const actionsColumn = ({ me, onOpen, onDelete }: Actions): TableColumn<UserEntry> => ({
  key: 'actions',
  header: t('access.user.column.actions'),
  hideHeader: true,
  align: 'end',
  cell: ({ user }) => (
    <RowMenu
      of={{ kind: 'user', name: user }}
      isFixed={user === me}
      onOpen={() => onOpen('user', user)}
      onDelete={() => onDelete(user)}
    />
  ),
})
