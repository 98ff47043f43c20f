import { integration } from '@boathouse/contract/integration'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Panel, StateDot } from '../../ui/index.ts'
import styles from './integration.module.css'

/** What this user has requested, with the answers; nothing for who has requested nothing. */
export function OwnRequests() {
  const requests = useCall(integration.ownRequests, {}).data?.requests ?? []
  if (requests.length === 0) return null
  return (
    <Panel title={t('integration.requests.title')}>
      <ul className={styles['requests']}>
        {requests.map(({ requestId, applicationName, useCase, createdAt, answer, answeredAt }) => (
          <li key={requestId}>
            <p className={styles['requestLine']}>
              <strong>{applicationName}</strong>
              <StateDot tone={answer === null ? 'warn' : 'ok'}>
                {answeredAt === null
                  ? t('integration.requests.open')
                  : t('integration.requests.answered', { time: formatDateTime(answeredAt) })}
              </StateDot>
              <span className={styles['muted']}>
                {t('integration.requests.sent', { time: formatDateTime(createdAt) })}
              </span>
            </p>
            {useCase !== '' && <p className={styles['muted']}>{useCase}</p>}
            {answer !== null && <p className={styles['answer']}>{answer}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
