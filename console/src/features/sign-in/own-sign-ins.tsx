import '../../i18n/sign-ins.ts'
import type { SignIn } from '@boathouse/contract/sign-ins'
import { loginCalls } from '@boathouse/contract/user-logins'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { programOf } from '../../lib/user-agent.ts'
import { ErrorState, Skeleton } from '../../ui/index.ts'
import styles from './sign-in.module.css'

/** The last times that the user signed in or out, and that somebody tried to in their name. */
export function OwnSignIns() {
  const { data, error, refetch } = useCall(loginCalls.listSignIns, {}, { silent: true, staleTime: 0 })
  if (error)
    return <ErrorState title={t('signIns.own.failed')} what={error.message} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  if (data.signIns.length === 0) return <p className={styles['note']}>{t('signIns.own.none')}</p>
  return (
    <ul className={styles['logins']} aria-label={t('signIns.own.title')}>
      {data.signIns.map((signIn) => (
        <Entry key={signIn.signInId} signIn={signIn} />
      ))}
    </ul>
  )
}

const addressOf = ({ clientIp, privateEndpoint }: SignIn): string =>
  clientIp !== null && privateEndpoint !== null
    ? t('signIns.throughEndpoint', { address: clientIp, endpoint: privateEndpoint })
    : (clientIp ?? t('signIns.nowhere'))

function Entry({ signIn }: { signIn: SignIn }) {
  const { at, lastAt, count, outcome, key, userAgent } = signIn
  const facts = [
    formatDateTime(at),
    ...(key === null ? [] : [t('signIns.key', { name: key })]),
    addressOf(signIn),
    programOf(userAgent) ?? t('signIns.noClient'),
    ...(count > 1 ? [t('signIns.times', { count, time: formatDateTime(lastAt) })] : []),
  ]
  return (
    <li>
      <div>
        <p>{t(`signIns.outcome.${outcome}`)}</p>
        <p className={styles['note']}>{facts.join(' · ')}</p>
      </div>
    </li>
  )
}
