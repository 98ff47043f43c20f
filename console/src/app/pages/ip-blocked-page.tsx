import { t } from '../../i18n/texts.ts'
import { Button, EmptyState } from '../../ui/index.ts'
import { IconShieldLock } from '../../ui/icons.ts'
import { SupportContact } from '../support-contact.tsx'
import { Standalone } from './standalone.tsx'

/** SHELL-94, SHELL-95, SHELL-96 */
export function IpBlockedPage({ ip }: { ip: string }) {
  const retry = (
    <Button variant="primary" onClick={() => window.location.reload()}>
      {t('shell.ipBlocked.retry')}
    </Button>
  )
  return (
    <Standalone>
      <EmptyState
        page
        icon={<IconShieldLock size={28} stroke={1.5} aria-hidden />}
        title={t('shell.ipBlocked.title')}
        actions={retry}
      >
        <p>{ip ? t('shell.ipBlocked.body', { ip }) : t('shell.ipBlocked.bodyUnknown')}</p>
        <p>{t('shell.ipBlocked.contact')}</p>
        <SupportContact />
      </EmptyState>
    </Standalone>
  )
}
