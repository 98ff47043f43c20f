import { encodePassword, MESSAGES } from '@boathouse/contract/rules'
import { sso } from '@boathouse/contract/sso'
import { t } from '../../i18n/texts.ts'
import { send, useAction, useCall } from '../../lib/api.ts'
import { formatDateTime } from '../../lib/format.ts'
import { Button, notify, PasswordField, Refusal } from '../../ui/index.ts'
import { useSignInForm } from './form.ts'
import styles from './sign-in.module.css'
import { rememberSso } from './sso-memory.ts'

interface Props {
  readonly accountId: string
  /** Of the parts around it. */
  readonly headingClass: string | undefined
}

/** Whether the user is connected with the issuer of the account; connects and disconnects them. */
export function SsoConnection({ accountId, headingClass }: Props) {
  const { data } = useCall(sso.connection, {}, { silent: true, staleTime: 0 })
  if (!data?.issuer) return null
  const { issuer, connectedAt } = data
  return (
    <>
      <h3 className={headingClass}>{t('signUp.sso.title')}</h3>
      {connectedAt === null ? (
        <Connect accountId={accountId} issuer={issuer} />
      ) : (
        <Connected issuer={issuer} since={connectedAt} />
      )}
    </>
  )
}

function Connected({ issuer, since }: { issuer: string; since: string }) {
  const end = useAction(sso.disconnect, { refreshes: [sso.connection] })
  const disconnect = () =>
    end.mutate({}, { onSuccess: () => notify({ tone: 'ok', message: t('signUp.sso.disconnected') }) })
  return (
    <div className={styles['form']}>
      <p className={styles['note']}>{t('signUp.sso.since', { issuer, time: formatDateTime(since) })}</p>
      <Button loading={end.isPending} onClick={disconnect} className={styles['end']}>
        {t('signUp.sso.disconnect')}
      </Button>
    </div>
  )
}

function Connect({ accountId, issuer }: { accountId: string; issuer: string }) {
  const form = useSignInForm(
    { password: '' },
    { password: (value) => (value === '' ? MESSAGES.passwordMissing : undefined) },
  )
  const connect = async ({ password }: { password: string }) => {
    const begun = await send(sso.connect, { password: encodePassword(password) }, { silent: true })
    const { pathname, search } = window.location
    rememberSso(
      { secret: begun.secret, accountId, next: `${pathname}${search}`, closes: false, connects: true },
      window,
    )
    window.location.assign(begun.address)
  }
  return (
    <form
      className={styles['form']}
      onSubmit={form.onSubmit(connect)}
      noValidate
      aria-label={t('signUp.sso.title')}
    >
      <p className={styles['note']}>{t('signUp.sso.none', { issuer })}</p>
      <Refusal text={form.refused} />
      <PasswordField
        {...form.field('password')}
        label={t('signUp.sso.password')}
        autoComplete="current-password"
      />
      <Button type="submit" loading={form.working} className={styles['end']}>
        {t('signUp.sso.connect')}
      </Button>
    </form>
  )
}
