import '../../../i18n/account.ts'
import { isFrozen } from '@boathouse/contract/account-state'
import { org as orgCalls } from '@boathouse/contract/org'
import { MESSAGE_TYPES, user as userCalls, type UserInfo } from '@boathouse/contract/user'
import { lazy, Suspense, useEffect } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, Dialog, notify, Spinner } from '../../../ui/index.ts'
import { SupportContact } from '../../support-contact.tsx'
import { useSignOut } from '../sign-out.ts'
import styles from './account-dialogs.module.css'
import { whichDialog } from './which-dialog.ts'

/** Few users ever need a card. */
const CardBinding = lazy(() =>
  import('../../../features/payment/card-binding.tsx').then((module) => ({ default: module.CardBinding })),
)

const NOTICE_MS = 10_000

const nothing = (): void => undefined

export function AccountDialogs({ user }: { user: UserInfo }) {
  const { data } = useCall(userCalls.listUnreadMessages, {}, { silent: true })
  const unread = data?.messages ?? []
  useTrialEndingNotice(unread.find(({ type }) => type === MESSAGE_TYPES.TrialEnding)?.messageId)
  const kind = whichDialog(user, unread, useIsPaidByCard(user))
  switch (kind) {
    case 'resuming':
    case 'freezing':
    case 'card':
      return <BlockedDialog user={user} kind={kind} />
    case 'trial started':
      return (
        <TrialStartedDialog
          messageId={unread.find(({ type }) => type === MESSAGE_TYPES.TrialStarted)?.messageId ?? ''}
        />
      )
    case null:
      return null
  }
}

/** Shown once; the top bar keeps showing how many days are left. */
function useTrialEndingNotice(messageId: string | undefined): void {
  const { mutate } = useAction(userCalls.markMessageRead, {
    silent: true,
    isOwnDoing: false,
    refreshes: [userCalls.listUnreadMessages],
  })
  const endsAt = useCall(orgCalls.freeTrialContract, {}, { silent: true }).data?.trial?.endsAt
  useEffect(() => {
    if (messageId === undefined || endsAt === undefined) return
    const message = t('account.trial.endsSoon', { end: formatDateTime(endsAt) })
    notify({ tone: 'warn', message, durationMs: NOTICE_MS })
    mutate({ messageId })
  }, [messageId, endsAt, mutate])
}

/** The root account pays; what the operator froze, a card does not resume. */
function useIsPaidByCard(user: UserInfo): boolean {
  const enabled = isFrozen(user.accountState)
  const org = useCall(orgCalls.detail, {}, { silent: true, enabled }).data
  return (
    (org?.paymentEnabled ?? false) && org?.orgAccountId === user.accountId && org.freezeReason !== 'operator'
  )
}

const TITLES = {
  resuming: 'account.resuming.title',
  freezing: 'account.freezing.title',
  card: 'account.freezing.title',
} as const

/** One dialog from frozen to resumed: between two of them a keystroke would reach the page behind. */
function BlockedDialog({ user, kind }: { user: UserInfo; kind: keyof typeof TITLES }) {
  const signOut = useSignOut()
  const logout = (variant: 'primary' | 'default') => (
    <Button
      variant={variant}
      onClick={() => void signOut()}
      data-autofocus={variant === 'primary' || undefined}
    >
      {t('account.freezing.logout')}
    </Button>
  )
  return (
    <Dialog
      open
      onClose={nothing}
      closable={false}
      title={t(TITLES[kind])}
      footer={kind === 'freezing' ? logout('primary') : undefined}
    >
      {kind === 'resuming' ? <Resuming /> : <WhyFrozen user={user} />}
      {kind === 'card' && (
        <Suspense fallback={null}>
          <CardBinding mode="resume" leave={logout('default')} />
        </Suspense>
      )}
    </Dialog>
  )
}

const Resuming = () => (
  <p className={styles['waiting']} role="status">
    <Spinner size={16} immediate />
    {t('account.resuming.body')}
  </p>
)

function WhyFrozen({ user }: { user: UserInfo }) {
  const org = useCall(orgCalls.detail, {}, { silent: true }).data
  const trial = useCall(orgCalls.freeTrialContract, {}, { silent: true }).data?.trial
  const isSub = org !== undefined && org.orgAccountId !== user.accountId
  const unpaid = org?.freezeReason === 'unpaid' ? t('account.freezing.unpaid') : t('account.freezing.root')
  const why = org?.freezeReason !== 'unpaid' && trial?.hasEnded ? t('account.freezing.trialEnded') : unpaid
  return (
    <div className={styles['words']}>
      <p>{isSub ? t('account.freezing.sub') : why}</p>
      {!isSub && trial?.dataKeptUntil && (
        <p>{t('account.freezing.kept', { end: formatDateTime(trial.dataKeptUntil) })}</p>
      )}
      <SupportContact before={t('account.freezing.help')} />
    </div>
  )
}

function TrialStartedDialog({ messageId }: { messageId: string }) {
  const trial = useCall(orgCalls.freeTrialContract, {}, { silent: true }).data?.trial
  const markRead = useAction(userCalls.markMessageRead, {
    refreshes: [userCalls.listUnreadMessages],
  })
  const confirm = () => markRead.mutate({ messageId })
  const footer = (
    <Button variant="primary" loading={markRead.isPending} onClick={confirm} data-autofocus>
      {t('account.trial.confirm')}
    </Button>
  )
  return (
    <Dialog
      open
      onClose={confirm}
      title={t('account.trial.title')}
      footer={footer}
      closeOnClickOutside={false}
    >
      {trial && (
        <div className={styles['words']}>
          <p>{t('account.trial.body', { days: trial.days, usd: trial.usd })}</p>
          <p>{t('account.trial.end', { end: formatDateTime(trial.endsAt) })}</p>
        </div>
      )}
    </Dialog>
  )
}
