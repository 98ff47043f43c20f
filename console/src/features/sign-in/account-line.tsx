import { t } from '../../i18n/texts.ts'
import styles from './sign-in.module.css'

interface Props {
  readonly accountId: string
  readonly region: string | null
  readonly onOtherAccount: () => void
}

/** To which account, and the way to another. */
export function AccountLine({ accountId, region, onOtherAccount }: Props) {
  return (
    <div className={styles['line']}>
      <p>
        <span className={styles['muted']}>{t('signIn.signedInTo')}</span> <code>{accountId}</code>
        {region && <span className={styles['muted']}> · {region}</span>}
      </p>
      <button type="button" className={styles['link']} onClick={onOtherAccount}>
        {t('signIn.otherAccount')}
      </button>
    </div>
  )
}
