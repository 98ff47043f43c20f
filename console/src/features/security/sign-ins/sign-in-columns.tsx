import type { SignIn } from '@boathouse/contract/audit'
import { t } from '../../../i18n/texts.ts'
import { formatDateTime } from '../../../lib/format.ts'
import { programOf } from '../../../lib/user-agent.ts'
import { StateDot, type TableColumn } from '../../../ui/index.ts'
import styles from '../security.module.css'

const TONES: Partial<Record<SignIn['outcome'], 'ok' | 'neutral'>> = { signedIn: 'ok', signedOut: 'neutral' }

export const signInColumns = (): readonly TableColumn<SignIn>[] => [
  {
    key: 'time',
    header: t('signIns.column.time'),
    cell: ({ at }) => <time dateTime={at}>{formatDateTime(at)}</time>,
  },
  { key: 'user', header: t('signIns.column.user'), cell: ({ user }) => <Name name={user} /> },
  {
    key: 'how',
    header: t('signIns.column.how'),
    cell: ({ method, key, door }) => method && howOf({ method, key, door }),
  },
  {
    key: 'address',
    header: t('signIns.column.address'),
    cell: ({ clientIp, privateEndpoint }) => (
      <>
        {clientIp ?? t('signIns.nowhere')}
        {privateEndpoint && <p className={styles['note']}>{privateEndpoint}</p>}
      </>
    ),
  },
  {
    key: 'client',
    header: t('signIns.column.client'),
    cell: ({ userAgent }) => (
      <span className={styles['cut']} title={userAgent}>
        {programOf(userAgent) ?? t('signIns.noClient')}
      </span>
    ),
  },
  { key: 'outcome', header: t('signIns.column.outcome'), cell: (signIn) => <Outcome of={signIn} /> },
]

type How = Pick<SignIn, 'key' | 'door'> & { readonly method: NonNullable<SignIn['method']> }

function howOf({ method, key, door }: How): string {
  const proof = key === null ? t(`signIns.method.${method}`) : t('signIns.key', { name: key })
  return door === 'console' ? proof : `${proof}, ${t(`signIns.door.${door}`)}`
}

const Name = ({ name }: { name: string | null }) =>
  name === null ? (
    <span className={styles['note']} title={t('signIns.unknownHelp')}>
      {t('signIns.unknown')}
    </span>
  ) : (
    <span className={styles['cut']} title={name}>
      {name}
    </span>
  )

const Outcome = ({ of: { outcome, count, lastAt } }: { of: SignIn }) => (
  <>
    <StateDot tone={TONES[outcome] ?? 'err'}>{t(`signIns.outcome.${outcome}`)}</StateDot>
    {count > 1 && (
      <p className={styles['note']}>{t('signIns.times', { count, time: formatDateTime(lastAt) })}</p>
    )}
  </>
)
