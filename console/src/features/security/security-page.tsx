import '../../i18n/firewall.ts'
import '../../i18n/security.ts'
import { t } from '../../i18n/texts.ts'
import { PageHeader, Tabs } from '../../ui/index.ts'
import { FirewallTab } from './firewall/firewall-tab.tsx'
import styles from './security.module.css'
import { SsoSettingsTab } from './sso-settings-tab.tsx'

interface Props {
  readonly tab: string
  readonly onTab: (tab: string) => void
}

/** SHELL-28 */
export function SecurityPage({ tab, onTab }: Props) {
  const items = [
    { value: 'sso', label: t('security.sso.tab'), content: <SsoSettingsTab /> },
    { value: 'firewall', label: t('firewall.tab'), content: <FirewallTab /> },
  ]
  return (
    <div className={styles['page']}>
      <PageHeader title={t('security.title')} facts={[t('security.lead')]} />
      <Tabs label={t('security.tabs')} value={tab} onChange={onTab} items={items} />
    </div>
  )
}
