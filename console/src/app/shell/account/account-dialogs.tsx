import '../../../i18n/account.ts'
import { org as orgCalls } from '@boathouse/contract/org'
import { MESSAGE_TYPES, user as userCalls, type UserInfo } from '@boathouse/contract/user'
import { useEffect } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { Button, Dialog, notify, Spinner } from '../../../ui/index.ts'
import { SupportContact } from '../../support-contact.tsx'
import { useSignOut } from '../sign-out.ts'
import styles from './account-dialogs.module.css'
import { whichDialog } from './which-dialog.ts'

/** The variant in which cards are bound is not there yet, so nobody is asked for one. */
const PAYMENT_ENABLED = false

const NOTICE_MS = 10_000

const nothing = (): void => undefined

export function AccountDialogs({ user }: { user: UserInfo }) {
  const { data } = useCall(userCalls.listUnreadMessages, {}, { silent: true })
  const unread = data?.messages ?? []
  useTrialEndingNotice(unread.find(({ type }) => type === MESSAGE_TYPES.TrialEnding)?.messageId)
  switch (whichDialog(user, unread, PAYMENT_ENABLED)) {
    case 'resuming':
      return <BlockedDialog user={user} isResuming />
    case 'freezing':
      return <BlockedDialog user={user} isResuming={false} />
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

/** ACCOUNT-14, ACCOUNT-92: said once; the top bar goes on to say how many days are left. */
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

/** One dialog from frozen to resumed: between two of them a keystroke would reach the page behind. */
function BlockedDialog({ user, isResuming }: { user: UserInfo; isResuming: boolean }) {
  const signOut = useSignOut()
  const footer = (
    <Button variant="primary" onClick={() => void signOut()} data-autofocus>
      {t('account.freezing.logout')}
    </Button>
  )
  return (
    <Dialog
      open
      onClose={nothing}
      closable={false}
      title={isResuming ? t('account.resuming.title') : t('account.freezing.title')}
      footer={isResuming ? undefined : footer}
    >
      {isResuming ? <Resuming /> : <WhyFrozen user={user} />}
    </Dialog>
  )
}

/** ACCOUNT-71, ACCOUNT-72 */
const Resuming = () => (
  <p className={styles['waiting']} role="status">
    <Spinner size={16} immediate />
    {t('account.resuming.body')}
  </p>
)

/** ACCOUNT-73, ACCOUNT-79 */
function WhyFrozen({ user }: { user: UserInfo }) {
  const org = useCall(orgCalls.detail, {}, { silent: true }).data
  const trial = useCall(orgCalls.freeTrialContract, {}, { silent: true }).data?.trial
  const isSub = org !== undefined && org.orgAccountId !== user.accountId
  const why = trial?.hasEnded ? t('account.freezing.trialEnded') : t('account.freezing.root')
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

/** ACCOUNT-89 to ACCOUNT-91 */
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
