import { useTranslation } from 'react-i18next'
import { Button, EmptyState } from '../../ui/index.ts'
import { IconShieldLock } from '../../ui/icons.ts'
import { Standalone } from './standalone.tsx'

/** LIMIT-07: an operator names a contact in the page's head; otherwise the account's administrator is meant. */
const supportContact = (): string | undefined =>
  document.querySelector<HTMLMetaElement>('meta[name="boathouse-support"]')?.content || undefined

const isAddress = (contact: string): boolean => /^\S+@\S+$/.test(contact)

/** SHELL-94, SHELL-95, SHELL-96 */
export function IpBlockedPage({ ip }: { ip: string }) {
  const { t } = useTranslation()
  const contact = supportContact()
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
        {contact && (isAddress(contact) ? <a href={`mailto:${contact}`}>{contact}</a> : <p>{contact}</p>)}
      </EmptyState>
    </Standalone>
  )
}
