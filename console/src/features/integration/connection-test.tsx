import type { Connection } from '@boathouse/contract/integration'
import type { SignInDoor } from '@boathouse/contract/sign-ins'
import { t } from '../../i18n/texts.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button, Properties, StateDot } from '../../ui/index.ts'
import styles from './integration.module.css'
import { useConnectionTest } from './use-connection-test.ts'

/** Says whether a program has come in since the button was pressed, as whom, from where and by which door. */
export function ConnectionTest({ door }: { door: SignInDoor }) {
  const test = useConnectionTest(door)
  const { connections, isConnected, isWaiting, isUnreachable, isInterrupted } = test
  return (
    <section className={styles['test']} aria-label={t('integration.test.title')}>
      <h2>{t('integration.test.title')}</h2>
      <p className={styles['muted']}>
        {t(isWaiting ? 'integration.test.waitingText' : 'integration.test.lead')}
      </p>
      {isWaiting ? (
        <Button onClick={test.cancel}>{t('integration.test.cancel')}</Button>
      ) : (
        <Button variant="primary" loading={test.isStarting} onClick={test.start}>
          {t(isConnected ? 'integration.test.again' : 'integration.test.start')}
        </Button>
      )}
      {isWaiting && (
        <StateDot tone="accent" pulse>
          {t('integration.test.waiting', { seconds: test.seconds })}
        </StateDot>
      )}
      <div role="status" className={styles['seen']}>
        {isUnreachable && <p>{t('integration.test.unreachable')}</p>}
        {isInterrupted && isWaiting && <p>{t('integration.test.interrupted')}</p>}
        {connections.map((connection) => (
          <Seen key={JSON.stringify(connection)} connection={connection} />
        ))}
      </div>
      <p className={styles['note']}>{t('integration.test.ownOnly')}</p>
    </section>
  )
}

function nameOf({ isOwn, user }: Connection): string {
  if (user === null) return t('integration.test.someone')
  return isOwn ? t('integration.test.you', { user }) : user
}

function Seen({ connection }: { connection: Connection }) {
  const { outcome, program, clientIp, door, at } = connection
  const isIn = outcome === 'signedIn'
  return (
    <div className={styles['one']}>
      <StateDot tone={isIn ? 'ok' : 'err'}>
        {t(isIn ? 'integration.test.connected' : 'integration.test.refused')}
      </StateDot>
      <p>{t(`integration.test.outcomes.${outcome}`)}</p>
      <Properties
        items={[
          [t('integration.test.who'), nameOf(connection)],
          [t('integration.test.program'), program || t('integration.test.noProgram')],
          [t('integration.test.from'), clientIp],
          [t('integration.test.door'), t(`integration.test.doors.${door}`)],
          [t('integration.test.when'), formatDateTime(at)],
        ]}
      />
    </div>
  )
}
