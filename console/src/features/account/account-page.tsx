import '../../i18n/account.ts'
import { LIFE_CYCLE_STATES } from '@boathouse/contract/account-state'
import type { Output } from '@boathouse/contract/call'
import { type AccountListItem, org as orgCalls } from '@boathouse/contract/org'
import type { UserInfo } from '@boathouse/contract/user'
import { useState } from 'react'
import type { ComponentType, ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { IconPlus } from '../../ui/icons.ts'
import { Button, ErrorState, PageHeader } from '../../ui/index.ts'
import { AccountDetail } from './account-detail.tsx'
import { AccountList } from './account-list.tsx'
import styles from './account.module.css'
import { ConfirmRelease } from './confirm-release.tsx'
import { CreateAccount } from './create-account.tsx'
import { KeptData } from './kept-data.tsx'
import { OrganisationPanel } from './organisation-panel.tsx'
import { ReleaseAccount } from './release-account.tsx'

/** What the address says is open. */
export interface AccountPageSearch {
  readonly account?: string
  readonly search?: string
  readonly deleted?: string
  readonly release?: string
}

interface Props {
  readonly user: UserInfo
  readonly search: AccountPageSearch
  readonly onSearch: (change: AccountPageSearch) => void
  /** Of the sign-in page for an account, absolute. */
  readonly signInAddress: (accountId: string, region: string) => string
  /** Whom to ask for an upgrade; null where nobody is named. */
  readonly support: ReactNode
  /** The dialog in which a card is bound, and the word for it. */
  readonly CardDialog: ComponentType<{ onClose: () => void }>
  readonly cardWord: string
  /** Opens the profile, where users set their mail address. */
  readonly onAddEmail: () => void
}

/** While an account is on its way to another state, the list looks again. */
const CHANGING_MS = 3_000
const CHANGING: readonly number[] = [LIFE_CYCLE_STATES.Pending, LIFE_CYCLE_STATES.Deleting]
const isChanging = ({ state }: AccountListItem): boolean => CHANGING.includes(state)

const SOURCE_MARKETPLACE = 2
const IDENTITY_CONTRACT = 3

const mayPayByCard = (org: Output<typeof orgCalls.detail> | undefined): boolean =>
  org !== undefined &&
  org.paymentEnabled &&
  org.source !== SOURCE_MARKETPLACE &&
  org.orgIdentity !== IDENTITY_CONTRACT

export function AccountPage(props: Props) {
  const { user, search, onSearch, signInAddress, support, CardDialog, cardWord, onAddEmail } = props
  const [binding, setBinding] = useState(false)
  const [creating, setCreating] = useState(false)
  const [releasing, setReleasing] = useState<string | null>(null)
  const org = useCall(orgCalls.detail, {})
  const trial = useCall(orgCalls.freeTrialContract, {}).data?.trial ?? null
  const withDeleted = search.deleted === 'true'
  const list = useCall(
    orgCalls.listAccount,
    { notFilterDeleted: withDeleted },
    { refetchInterval: ({ state }) => (state.data?.accounts.some(isChanging) ? CHANGING_MS : false) },
  )
  const accounts = list.data?.accounts
  if (org.isError || list.isError)
    return (
      <ErrorState
        page
        title={t('account.detail.failed')}
        what={(org.error ?? list.error)?.message}
        onRetry={() => void Promise.all([org.refetch(), list.refetch()])}
      />
    )
  const isRoot = org.data?.orgAccountId === user.accountId
  const mayBind = isRoot && user.isOrgAdmin && mayPayByCard(org.data)
  const isInTrial = trial !== null && !trial.hasEnded
  const releasingItem = accounts?.find((one) => one.accountId === releasing)
  return (
    <div className={styles['page']}>
      <PageHeader
        title={t('account.title')}
        facts={org.data && [org.data.name, t('account.accounts', { count: org.data.accounts })]}
        actions={
          isRoot && (
            <div className={styles['create']}>
              <span className={styles['tools']}>
                {mayBind && <Button onClick={() => setBinding(true)}>{cardWord}</Button>}
                <Button
                  variant="primary"
                  leftIcon={<IconPlus size={16} aria-hidden />}
                  disabled={isInTrial}
                  onClick={() => setCreating(true)}
                >
                  {t('account.create.open')}
                </Button>
              </span>
              {isInTrial && <p className={styles['note']}>{t('account.create.blocked')}</p>}
            </div>
          )
        }
      />
      <OrganisationPanel org={org.data} trial={trial} accounts={accounts} />
      <AccountList
        accounts={accounts}
        search={search.search ?? ''}
        withDeleted={withDeleted}
        onSearch={onSearch}
        mayRelease={(account) => !account.isRoot && (isRoot || account.accountId === user.accountId)}
        mayOpen={(account) => isRoot || account.accountId === user.accountId}
        onRelease={setReleasing}
        signInAddress={signInAddress}
      />
      {user.activeRoles.includes('account_admin') && <KeptData />}
      {binding && <CardDialog onClose={() => setBinding(false)} />}
      {creating && <CreateAccount onClose={() => setCreating(false)} />}
      {search.account && (
        <AccountDetail
          accountId={search.account}
          onClose={() => onSearch({ account: '' })}
          onRelease={(accountId) => {
            onSearch({ account: '' })
            setReleasing(accountId)
          }}
          signInAddress={signInAddress}
          support={support}
        />
      )}
      {releasingItem && (
        <ReleaseAccount
          account={releasingItem}
          hasEmail={user.email !== ''}
          onAddEmail={() => {
            setReleasing(null)
            onAddEmail()
          }}
          onClose={() => setReleasing(null)}
        />
      )}
      {search.release && <ConfirmRelease token={search.release} onClose={() => onSearch({ release: '' })} />}
    </div>
  )
}
