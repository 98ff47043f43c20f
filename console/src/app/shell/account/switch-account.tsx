import '../../../i18n/account.ts'
import { type AccountListItem, org } from '@boathouse/contract/org'
import { t } from '../../../i18n/texts.ts'
import { useCall } from '../../../lib/api.ts'
import { signInOrigin } from '../../../lib/hosts.ts'
import { IconExternalLink } from '../../../ui/icons.ts'
import { Badge, Dialog, ErrorState, Skeleton } from '../../../ui/index.ts'
import { signInPath } from '../../paths.ts'
import styles from './account-dialogs.module.css'

export function SwitchAccount({ accountId, onClose }: { accountId: string; onClose: () => void }) {
  const { data, isError, refetch } = useCall(org.listAccount, {}, { silent: true })
  return (
    <Dialog open onClose={onClose} title={t('account.switchAccount.title')}>
      <p>{t('account.switchAccount.body')}</p>
      {isError ? (
        <ErrorState title={t('account.switchAccount.failed')} onRetry={() => void refetch()} />
      ) : (
        <ul className={styles['accounts']} aria-busy={!data}>
          {!data && (
            <li className={styles['account']}>
              <Skeleton width={180} />
            </li>
          )}
          {data?.accounts.map((account) => (
            <li key={account.accountId}>
              <AccountChoice account={account} isHere={account.accountId === accountId} onChosen={onClose} />
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}

interface ChoiceProps {
  readonly account: AccountListItem
  readonly isHere: boolean
  readonly onChosen: () => void
}

/** Of this page as a path; accounts of other regions are at another host. */
function signInAddress({ accountId, region }: AccountListItem): string {
  const path = signInPath(accountId, region)
  const origin = signInOrigin(region)
  return origin === window.location.origin ? path : origin + path
}

function AccountChoice({ account, isHere, onChosen }: ChoiceProps) {
  const words = (
    <>
      <span className={styles['accountName']}>{account.name}</span> <code>{account.accountId}</code>{' '}
      {account.isRoot && <Badge tone="accent">{t('account.switchAccount.root')}</Badge>}
    </>
  )
  if (isHere)
    return (
      <div className={styles['account']}>
        {words}
        <span className={styles['here']}>{t('account.switchAccount.current')}</span>
      </div>
    )
  return (
    <a
      className={styles['account']}
      href={signInAddress(account)}
      target="_blank"
      rel="noreferrer"
      onClick={onChosen}
    >
      {words}
      <IconExternalLink size={16} aria-hidden />
    </a>
  )
}
