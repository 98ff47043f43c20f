import { account } from '@boathouse/contract/account'
import type { ApiKey } from '@boathouse/contract/key'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { CodeBlock, SecretDialog } from '../../ui/index.ts'
import styles from './key.module.css'
import { linesFor } from './lines.ts'

/** As a call answers it, once. */
export interface MadeKey {
  readonly key: ApiKey
  readonly secret: string
}

export const ShownSecret = ({ made: { key, secret }, onClose }: { made: MadeKey; onClose: () => void }) => (
  <SecretDialog
    width={600}
    title={t('keys.secret.title', { name: key.name })}
    once={t('keys.secret.once')}
    label={t('keys.secret.secret')}
    secret={secret}
    done={t('keys.secret.done')}
    onClose={onClose}
  >
    <Lines of={key} />
  </SecretDialog>
)

function Lines({ of: { doors, user } }: { of: ApiKey }) {
  const { data } = useCall(account.details, {}, { silent: true })
  if (!data) return null
  const { listening, host, port, ownCertificate } = data.queryEndpoint
  const lines = linesFor(doors, {
    origin: window.location.origin,
    user: `${data.accountId}.${user}`,
    // It listens on every address of its machine, and this page came from one of them.
    mysql: listening ? { host: host || window.location.hostname, port, ownCertificate } : null,
  })
  if (lines.length === 0) return null
  return (
    <>
      <p className={styles['note']}>{t('keys.secret.first')}</p>
      {lines.map(({ door, code }) => (
        <section key={door} className={styles['line']}>
          <h3>{t(`keys.secret.${door}`)}</h3>
          <CodeBlock code={code} label={t(`keys.secret.${door}`)} />
        </section>
      ))}
    </>
  )
}
