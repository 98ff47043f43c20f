import { loginCalls } from '@boathouse/contract/user-logins'
import type { LoginEntry } from '@boathouse/contract/user-logins'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Badge, Button, ErrorState, notify, Skeleton } from '../../ui/index.ts'
import styles from './sign-in.module.css'
import { programOf } from '../../lib/user-agent.ts'

const NOTICE_MS = 4_000

/** Where the user is signed in; each login but this one can be ended here. */
export function Logins() {
  const refreshes = [loginCalls.listLogins]
  const { data, error, refetch } = useCall(loginCalls.listLogins, {}, { silent: true, staleTime: 0 })
  const end = useAction(loginCalls.endLogin, { refreshes })
  const endOthers = useAction(loginCalls.endOtherLogins, { refreshes })
  if (error)
    return (
      <ErrorState title={t('signUp.logins.failed')} what={error.message} onRetry={() => void refetch()} />
    )
  if (!data) return <Skeleton height={120} />
  const others = data.logins.filter((login) => !login.isCurrent)
  const endAll = async () => {
    const { ended } = await endOthers.mutateAsync({})
    notify({ tone: 'ok', message: t('signUp.logins.endedOthers', { count: ended }), durationMs: NOTICE_MS })
  }
  return (
    <>
      <ul className={styles['logins']} aria-label={t('signUp.logins.title')}>
        {data.logins.map((login) => (
          <Entry
            key={login.loginId}
            login={login}
            working={end.isPending && end.variables.loginId === login.loginId}
            onEnd={() => end.mutate({ loginId: login.loginId })}
          />
        ))}
      </ul>
      {others.length > 0 && (
        <Button loading={endOthers.isPending} onClick={() => void endAll()} className={styles['end']}>
          {t('signUp.logins.endOthers')}
        </Button>
      )}
    </>
  )
}

interface EntryProps {
  readonly login: LoginEntry
  readonly working: boolean
  readonly onEnd: () => void
}

function Entry({ login, working, onEnd }: EntryProps) {
  const program = programOf(login.userAgent) ?? t('signUp.logins.unknown')
  const facts = [
    login.clientIp,
    t('signUp.logins.since', { time: formatDateTime(login.createdAt) }),
    t('signUp.logins.lastUsed', { time: formatDateTime(login.lastUsedAt) }),
    ...(login.method === 'sso' ? [t('signUp.logins.sso')] : []),
  ]
  return (
    <li>
      <div>
        <p title={login.userAgent}>{program}</p>
        <p className={styles['note']}>{facts.join(' · ')}</p>
      </div>
      {login.isCurrent ? (
        <Badge tone="ok">{t('signUp.logins.here')}</Badge>
      ) : (
        <Button
          size="sm"
          loading={working}
          onClick={onEnd}
          aria-label={`${t('signUp.logins.end')}: ${program}, ${login.clientIp}`}
        >
          {t('signUp.logins.end')}
        </Button>
      )}
    </li>
  )
}
