import { t } from '../../i18n/texts.ts'
import { IconCopy } from '../../ui/icons.ts'
import { IconButton, useCopy } from '../../ui/index.ts'
import styles from './security.module.css'

/** What the issuer has to know of us. */
export function RedirectAddress({ address }: { address: string }) {
  const copy = useCopy()
  return (
    <dl className={styles['address']}>
      <dt>{t('security.sso.redirect')}</dt>
      <dd>
        <code>{address}</code>
        <IconButton label={t('security.sso.copyRedirect')} size="sm" onClick={() => copy(address)}>
          <IconCopy size={14} aria-hidden />
        </IconButton>
      </dd>
      <dd className={styles['help']}>{t('security.sso.redirectHelp')}</dd>
    </dl>
  )
}
