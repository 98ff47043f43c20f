import { type Grant, type Grantee, perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSettled } from '../../lib/settled.ts'
import { IconKey, IconPlus } from '../../ui/icons.ts'
import { Badge, Button, type TableColumn } from '../../ui/index.ts'
import styles from './access.module.css'
import { GrantDialog } from './grant-dialog.tsx'
import { ListFrame, PAGE_SIZE } from './list-frame.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { useMay } from './use-change.ts'
import { Time } from './user-columns.tsx'

interface Props {
  readonly grantee: Grantee
  /** A built-in role: shown, and nothing to change. */
  readonly isFixed: boolean
}

function useGrants({ kind, name }: Grantee, page: { search: string; page: number; pageSize: number }) {
  const keep = { placeholderData: <T,>(before: T) => before }
  const ofUser = useCall(perms.userGrants, { user: name, ...page }, { ...keep, enabled: kind === 'user' })
  const ofRole = useCall(perms.roleGrants, { role: name, ...page }, { ...keep, enabled: kind === 'role' })
  return kind === 'user' ? ofUser : ofRole
}

/** Privileges that were given directly. */
export function GrantsList({ grantee, isFixed }: Props) {
  const [search, setSearch] = useState('')
  const [page, setPage] = useState(1)
  const [isGranting, setGranting] = useState(false)
  const [revoking, setRevoking] = useState<Grant | null>(null)
  const mayGrant = useMay('grant:create')
  const mayRevoke = useMay('grant:drop')
  const { data, dataUpdatedAt } = useGrants(grantee, {
    search: useSettled(search),
    page,
    pageSize: PAGE_SIZE,
  })
  return (
    <>
      <ListFrame
        label={t('access.grants.title')}
        searchLabel={t('access.grants.search')}
        search={search}
        page={page}
        onSearch={(text) => {
          setSearch(text)
          setPage(1)
        }}
        onPage={setPage}
        found={data}
        columns={[...columnsAt(dataUpdatedAt), ...(isFixed ? [] : [revokeColumn(mayRevoke, setRevoking)])]}
        rowKey={({ objectText }) => objectText}
        empty={t('access.grants.empty')}
        why={t('access.grants.emptyWhy')}
        action={
          <Button
            variant="primary"
            leftIcon={<IconPlus size={16} aria-hidden />}
            disabled={isFixed || !mayGrant}
            title={mayGrant ? undefined : t('access.noPermission')}
            onClick={() => setGranting(true)}
          >
            {t('access.grants.grant')}
          </Button>
        }
      />
      {isGranting && <GrantDialog grantee={grantee} onClose={() => setGranting(false)} />}
      {revoking && <RevokeDialog grantee={grantee} grant={revoking} onClose={() => setRevoking(null)} />}
    </>
  )
}

const revokeColumn = (mayRevoke: boolean, onRevoke: (grant: Grant) => void): TableColumn<Grant> => ({
  key: 'actions',
  header: t('access.grants.column.actions'),
  hideHeader: true,
  align: 'end',
  cell: (grant) => (
    <Button
      size="sm"
      disabled={!mayRevoke}
      aria-label={t('access.grants.revokeOf', { object: grant.objectText })}
      onClick={() => onRevoke(grant)}
    >
      {t('access.grants.revoke')}
    </Button>
  ),
})

export function Privileges({ privileges, grantable }: Pick<Grant, 'privileges' | 'grantable'>) {
  return (
    <span className={styles['badges']}>
      {privileges.map((privilege) => {
        const isGrantable = grantable.includes(privilege)
        const title = isGrantable ? t('access.grants.withOption', { privilege }) : undefined
        return (
          <span key={privilege} title={title}>
            <Badge tone={isGrantable ? 'accent' : 'neutral'}>
              {privilege}
              {isGrantable && <IconKey size={12} role="img" aria-label={t('access.grants.option')} />}
            </Badge>
          </span>
        )
      })}
    </span>
  )
}

const columnsAt = (now: number): readonly TableColumn<Grant>[] => [
  {
    key: 'object',
    header: t('access.grants.column.object'),
    cell: ({ objectText }) => <code className={styles['object']}>{objectText}</code>,
  },
  {
    key: 'privileges',
    header: t('access.grants.column.privileges'),
    cell: (grant) => <Privileges {...grant} />,
  },
  {
    key: 'by',
    header: t('access.grants.column.by'),
    cell: ({ grantedBy }) => grantedBy ?? t('access.grants.byNature'),
  },
  {
    key: 'at',
    header: t('access.grants.column.at'),
    cell: ({ grantedAt }) => grantedAt && <Time at={grantedAt} now={now} />,
  },
]
