import { LIFE_CYCLE, LIFE_CYCLE_STATES } from '@boathouse/contract/account-state'
import type { AccountListItem } from '@boathouse/contract/org'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Badge, type TableColumn } from '../../ui/index.ts'
import { AccountMenu } from './account-menu.tsx'
import { AccountState } from './account-state.tsx'
import styles from './account.module.css'
import { CloudRegion } from './cloud-region.tsx'

export interface ColumnParts {
  readonly mayOpen: (account: AccountListItem) => boolean
  readonly mayRelease: (account: AccountListItem) => boolean
  readonly onOpen: (accountId: string) => void
  readonly onRelease: (accountId: string) => void
  readonly signInAddress: (accountId: string, region: string) => string
}

const GONE: readonly number[] = [LIFE_CYCLE_STATES.Deleting, LIFE_CYCLE_STATES.Deleted]
const isDeleted = ({ state }: AccountListItem): boolean => state === LIFE_CYCLE_STATES.Deleted

export function accountColumns(parts: ColumnParts): readonly TableColumn<AccountListItem>[] {
  const isOpenable = (account: AccountListItem) => parts.mayOpen(account) && !isDeleted(account)
  return [
    {
      key: 'name',
      header: t('account.list.name'),
      sortsBy: ({ name }) => name,
      cell: (account) => (
        <span className={styles['name']}>
          {isOpenable(account) ? (
            <button type="button" className={styles['open']} onClick={() => parts.onOpen(account.accountId)}>
              {account.name}
            </button>
          ) : (
            account.name
          )}
          {account.isRoot && <Badge tone="accent">{t('account.list.root')}</Badge>}
        </span>
      ),
    },
    {
      key: 'id',
      header: t('account.list.id'),
      sortsBy: ({ accountId }) => accountId,
      cell: ({ accountId }) => <code>{accountId}</code>,
    },
    {
      key: 'state',
      header: t('account.list.state'),
      sortsBy: ({ state }) => LIFE_CYCLE[state]?.label ?? '',
      cell: ({ state }) => <AccountState state={state} />,
    },
    {
      key: 'edition',
      header: t('account.list.edition'),
      sortsBy: ({ edition }) => edition,
      cell: ({ edition }) => t(`account.editions.${edition}`),
    },
    {
      key: 'region',
      header: t('account.list.region'),
      sortsBy: ({ csp, region }) => `${csp} ${region}`,
      cell: ({ csp, region }) => <CloudRegion csp={csp} region={region} />,
    },
    {
      key: 'creator',
      header: t('account.list.creator'),
      sortsBy: ({ creator }) => creator,
      cell: ({ creator }) => creator,
    },
    {
      key: 'created',
      header: t('account.list.created'),
      sortsBy: ({ createdAt }) => createdAt,
      cell: ({ createdAt }) => formatDateTime(createdAt),
    },
    {
      key: 'actions',
      header: t('account.list.details'),
      hideHeader: true,
      align: 'end',
      cell: (account) =>
        isDeleted(account) ? null : (
          <AccountMenu
            name={account.name}
            signInAddress={parts.signInAddress(account.accountId, account.region)}
            onOpen={isOpenable(account) ? () => parts.onOpen(account.accountId) : null}
            onRelease={
              parts.mayRelease(account) && !GONE.includes(account.state)
                ? () => parts.onRelease(account.accountId)
                : null
            }
          />
        ),
    },
  ]
}
