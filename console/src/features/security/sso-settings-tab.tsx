import { sso } from '@boathouse/contract/sso'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { ErrorState, Skeleton, StateDot } from '../../ui/index.ts'
import styles from './security.module.css'
import { SsoForm } from './sso-form.tsx'

/** With which issuer people of this account sign in. */
export function SsoSettingsTab() {
  const { data, isError, error, refetch } = useCall(sso.settings, {})
  if (isError)
    return <ErrorState title={t('security.sso.failed')} what={error.message} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={320} />
  const { settings, redirectUri } = data
  return (
    <section className={styles['sso']} aria-label={t('security.sso.tab')}>
      <div className={styles['lead']}>
        <SsoState enabled={settings?.enabled} />
        <p>{t('security.sso.lead')}</p>
      </div>
      {/* Another issuer is another form: its fields start empty. */}
      <SsoForm key={settings?.issuer ?? ''} settings={settings} redirectUri={redirectUri} />
    </section>
  )
}

function SsoState({ enabled }: { enabled: boolean | undefined }) {
  if (enabled === undefined) return <StateDot tone="neutral">{t('security.sso.state.none')}</StateDot>
  return enabled ? (
    <StateDot tone="ok">{t('security.sso.state.on')}</StateDot>
  ) : (
    <StateDot tone="neutral">{t('security.sso.state.off')}</StateDot>
  )
}
