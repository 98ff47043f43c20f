import '../../i18n/security.ts'
import { lazy, type ReactNode, Suspense } from 'react'
import { t } from '../../i18n/texts.ts'
import { Page, PageHeader, Skeleton, Tabs } from '../../ui/index.ts'
import { SsoSettingsTab } from './sso-settings-tab.tsx'

const AuditTab = lazy(async () => ({ default: (await import('./audit/audit-tab.tsx')).AuditTab }))

const FirewallTab = lazy(async () => ({
  default: (await import('./firewall/firewall-tab.tsx')).FirewallTab,
}))

const EmbeddingTab = lazy(async () => ({
  default: (await import('./embedding/embedding-tab.tsx')).EmbeddingTab,
}))

const PrivateLinkTab = lazy(async () => ({
  default: (await import('./private-link/private-link-tab.tsx')).PrivateLinkTab,
}))

const SignInsTab = lazy(async () => ({ default: (await import('./sign-ins/sign-ins-tab.tsx')).SignInsTab }))

const later = (tab: ReactNode) => <Suspense fallback={<Skeleton height={320} />}>{tab}</Suspense>

interface Props {
  readonly tab: string
  readonly onTab: (tab: string) => void
}

export function SecurityPage({ tab, onTab }: Props) {
  const items = [
    { value: 'sso', label: t('security.sso.tab'), content: <SsoSettingsTab /> },
    { value: 'firewall', label: t('security.firewall'), content: later(<FirewallTab />) },
    { value: 'private-link', label: t('security.privateLink'), content: later(<PrivateLinkTab />) },
    { value: 'embedding', label: t('security.embedding'), content: later(<EmbeddingTab />) },
    { value: 'sign-ins', label: t('security.signIns'), content: later(<SignInsTab />) },
    { value: 'audit', label: t('security.audit'), content: later(<AuditTab />) },
  ]
  return (
    <Page>
      <PageHeader title={t('security.title')} facts={[t('security.lead')]} />
      <Tabs label={t('security.tabs')} value={tab} onChange={onTab} items={items} />
    </Page>
  )
}
