import { ClientId, ClientSecret, Issuer, sso, type SsoSettings } from '@boathouse/contract/sso'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { ruleOf, useForm } from '../../lib/form.ts'
import { useSession } from '../../lib/session.ts'
import { Button, notify, PasswordField, Refusal, Switch, TextField } from '../../ui/index.ts'
import { RedirectAddress } from './redirect-address.tsx'
import { RemoveSso } from './remove-sso.tsx'
import styles from './security.module.css'
import { ssoDraft } from './sso-draft.ts'

interface Props {
  readonly settings: SsoSettings | null
  readonly redirectUri: string
}

/** A secret is sent to the issuer it was given for and to no other; empty, the one from before stays. */
const secretOf = (text: string) => (text === '' ? {} : { clientSecret: text })

export function SsoForm({ settings, redirectUri }: Props) {
  const keepsSecret = (issuer: string): boolean => settings?.issuer === issuer.trim()
  const { account, user } = useSession()
  const accountId = account ?? ''
  const userName = user?.user ?? ''
  const [before] = useState(() => ssoDraft.of({ accountId, user: userName, settings }))
  const form = useForm(
    { issuer: before.issuer, clientId: before.clientId, clientSecret: '' },
    {
      issuer: ruleOf(Issuer),
      clientId: ruleOf(ClientId),
      clientSecret: (text, { issuer }) =>
        text === '' && keepsSecret(issuer) ? undefined : ruleOf(ClientSecret)(text, undefined),
    },
  )
  const [enabled, setEnabled] = useState(before.enabled)
  const [removing, setRemoving] = useState(false)
  const save = useAction(sso.saveSettings, { silent: true, refreshes: [sso.settings] })
  const { issuer: typedIssuer, clientId: typedId } = form.values
  useEffect(() => {
    const draft = { issuer: typedIssuer, clientId: typedId, enabled }
    ssoDraft.keep({ accountId, user: userName, settings }, draft)
  }, [accountId, userName, settings, typedIssuer, typedId, enabled])
  const submit = form.onSubmit(async ({ issuer, clientId, clientSecret }) => {
    await save.mutateAsync({ issuer, clientId, enabled, ...secretOf(clientSecret) })
    form.put('clientSecret', '')
    notify({ tone: 'ok', message: enabled ? t('security.sso.savedOn') : t('security.sso.savedOff') })
  })
  return (
    <form className={styles['form']} onSubmit={submit} noValidate>
      <RedirectAddress address={redirectUri} />
      <TextField
        {...form.field('issuer')}
        type="url"
        label={t('security.sso.issuer')}
        help={t('security.sso.issuerHelp')}
        placeholder="https://"
        autoComplete="off"
        spellCheck={false}
      />
      <TextField
        {...form.field('clientId')}
        label={t('security.sso.clientId')}
        autoComplete="off"
        spellCheck={false}
      />
      <PasswordField
        {...form.field('clientSecret')}
        label={t('security.sso.clientSecret')}
        help={keepsSecret(form.values.issuer) ? t('security.sso.secretKept') : t('security.sso.secretHelp')}
        autoComplete="off"
      />
      <Switch
        label={t('security.sso.enabled')}
        help={t('security.sso.enabledHelp')}
        checked={enabled}
        onChange={setEnabled}
      />
      <Refusal text={form.refused} />
      <div className={styles['buttons']}>
        <Button type="submit" variant="primary" loading={form.working}>
          {t('security.sso.save')}
        </Button>
        {settings && (
          <Button variant="danger" onClick={() => setRemoving(true)}>
            {t('security.sso.remove')}
          </Button>
        )}
      </div>
      <RemoveSso open={removing} onClose={() => setRemoving(false)} />
    </form>
  )
}
