import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import { isBusinessEmail } from '@boathouse/contract/mail-address'
import { perms, type UserEntry } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isMailKept } from '../../lib/kept-mail.ts'
import { notify, TextField, useProblems } from '../../ui/index.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { problemsOf } from '../../lib/call-problems.ts'
import { useChange } from './use-change.ts'

interface Props {
  readonly of: UserEntry
  /** Free webmail is refused. */
  readonly businessMailOnly: boolean
  readonly onClose: () => void
}

/** The address of somebody else. It counts at once, so it says where links then go. */
export function SetEmail({ of: { user, isInvited, email: before }, businessMailOnly, onClose }: Props) {
  const [email, setEmail] = useState('')
  const set = useChange(perms.setUserEmail)
  const input = { user, email: email.trim() }
  const free = businessMailOnly && !isBusinessEmail(input.email)
  const problems = useProblems({
    email:
      problemsOf(perms.setUserEmail, input)['email'] ??
      (free ? IDENTITY_MESSAGES.notBusinessEmail : undefined),
  })
  const confirm = async () => {
    if (!problems.accept()) return false
    await set.mutateAsync(input)
    notify({ tone: 'ok', message: t('access.setEmail.done', { name: user }) })
    return true
  }
  return (
    <ChangeDialog
      title={t('access.setEmail.title', { name: user })}
      confirmLabel={t('access.setEmail.submit')}
      planned={null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{isInvited ? t('access.setEmail.invited') : t('access.setEmail.body')}</p>
      {before && <p>{t('access.setEmail.notified', { email: before })}</p>}
      {isMailKept() && <p>{t('shell.mailKept')}</p>}
      <TextField
        {...problems.of('email')}
        label={t('access.setEmail.address')}
        type="email"
        autoComplete="off"
        data-autofocus
        value={email}
        onChange={(event) => setEmail(event.target.value)}
      />
    </ChangeDialog>
  )
}
