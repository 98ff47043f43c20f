import { t } from '../../i18n/texts.ts'
import {
  useOwnTrial,
  useReturnAfterTrial,
  useReturnWhenLetIn,
  useSecondsLeft,
} from '../../lib/firewall-trial.ts'
import { Button, EmptyState, notify } from '../../ui/index.ts'
import { IconShieldLock } from '../../ui/icons.ts'
import { SupportContact } from '../support-contact.tsx'
import { Standalone } from './standalone.tsx'

export function IpBlockedPage({ ip }: { ip: string }) {
  const trialEnd = useOwnTrial()
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
        {trialEnd === null ? <NotLetIn /> : <OwnTrial end={trialEnd} />}
        <SupportContact />
      </EmptyState>
    </Standalone>
  )
}

/** The page returns automatically when a rule allows this address. */
function NotLetIn() {
  useReturnWhenLetIn(() => notify({ tone: 'ok', message: t('shell.ipBlocked.allowed') }))
  return <p>{t('shell.ipBlocked.contact')}</p>
}

/** Users who have locked themselves out wait here until their change is reverted. */
function OwnTrial({ end }: { end: number }) {
  const count = useSecondsLeft(end)
  useReturnAfterTrial(end, () => notify({ tone: 'ok', message: t('shell.ipBlocked.reverted') }))
  return <p role="timer">{t('shell.ipBlocked.trial', { count })}</p>
}
