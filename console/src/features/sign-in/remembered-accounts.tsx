import { t } from '../../i18n/texts.ts'
import type { LoggedAccount } from '../../lib/session.ts'
import { IconChevronRight } from '../../ui/icons.ts'
import styles from './sign-in.module.css'

interface Props {
  readonly accounts: readonly LoggedAccount[]
  readonly onChoose: (accountId: string, region: string) => void
}

/** One line for each account, whichever of its users was signed in last. */
export function RememberedAccounts({ accounts, onChoose }: Props) {
  const each = accounts.filter(
    (one, index) => accounts.findIndex((other) => other.accountId === one.accountId) === index,
  )
  if (each.length === 0) return null
  return (
    <section className={styles['remembered']} aria-labelledby="remembered-accounts">
      <h2 id="remembered-accounts" className={styles['subtitle']}>
        {t('signIn.remembered')}
      </h2>
      <ul>
        {each.map((one) => (
          <li key={one.accountId}>
            <button
              type="button"
              className={styles['account']}
              aria-label={t('signIn.rememberedAccount', { ...one })}
              onClick={() => onChoose(one.accountId, one.region)}
            >
              <code>{one.accountId}</code>
              <span>
                {one.user} · {one.region}
              </span>
              <IconChevronRight size={16} aria-hidden />
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
