import { IDENTITY_MESSAGES } from '@boathouse/contract/identity-messages'
import { isBusinessEmail } from '@boathouse/contract/mail-address'
import { perms } from '@boathouse/contract/perms'
import { encodePassword } from '@boathouse/contract/rules'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isMailKept } from '../../lib/kept-mail.ts'
import { NameField, notify, PasswordField, Segmented, TextField, useProblems } from '../../ui/index.ts'
import { useAdminQuestion } from './admin-question.tsx'
import { ChangeDialog } from './change-dialog.tsx'
import { RolesField } from './pickers.tsx'
import { problemsOf } from '../../lib/call-problems.ts'
import { useChange } from './use-change.ts'

interface Props {
  /** Free webmail is refused. */
  readonly businessMailOnly: boolean
  readonly onClose: () => void
  readonly onCreated: (user: string) => void
}

type How = 'mail' | 'password' | 'service'

const EMPTY = { user: '', email: '', password: '', roles: [] as string[] }

function inputOf(draft: typeof EMPTY, how: How) {
  const email = draft.email.trim()
  const user = draft.user.trim()
  const { roles } = draft
  if (how === 'service') return { user, email: null, password: null, roles, isService: true }
  return {
    user,
    email: how === 'password' && email === '' ? null : email,
    password: how === 'password' ? encodePassword(draft.password) : null,
    roles,
  }
}

/** Invited by mail, with a password that the administrator gives them, or for a program. */
export function CreateUser({ businessMailOnly, onClose, onCreated }: Props) {
  const [draft, setDraft] = useState(EMPTY)
  const [how, setHow] = useState<How>('mail')
  const create = useChange(perms.createUser)
  const { ask, question } = useAdminQuestion()
  const input = inputOf(draft, how)
  const found = problemsOf(perms.createUser, input)
  if (businessMailOnly && input.email && !isBusinessEmail(input.email))
    found['email'] ??= IDENTITY_MESSAGES.notBusinessEmail
  const problems = useProblems(found)
  const change = (part: Partial<typeof EMPTY>) => setDraft((before) => ({ ...before, ...part }))
  const confirm = async () => {
    if (!problems.accept()) return false
    if (!(await ask({ name: input.user, roles: input.roles }))) return false
    const { user, mailedTo } = await create.mutateAsync(input)
    const message = mailedTo
      ? t(isMailKept() ? 'access.createUser.kept' : 'access.createUser.invited', { email: mailedTo })
      : t('access.createUser.done', { name: user })
    notify({ tone: 'ok', message })
    onCreated(user)
    return true
  }
  return (
    <ChangeDialog
      title={t('access.createUser.title')}
      confirmLabel={t('access.createUser.submit')}
      planned={null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <NameField
        {...problems.of('user')}
        label={t('access.createUser.name')}
        help={t('access.createUser.nameHelp')}
        data-autofocus
        value={draft.user}
        onChange={(event) => change({ user: event.target.value })}
      />
      <Segmented
        label={t('access.createUser.how')}
        value={how}
        segments={[
          { value: 'mail', label: t('access.createUser.byMail') },
          { value: 'password', label: t('access.createUser.byPassword') },
          { value: 'service', label: t('access.createUser.service') },
        ]}
        onChange={setHow}
      />
      {how === 'password' && (
        <PasswordField
          label={t('access.createUser.password')}
          help={t('access.createUser.passwordHelp')}
          {...problems.of('password')}
          autoComplete="new-password"
          value={draft.password}
          onChange={(event) => change({ password: event.target.value })}
        />
      )}
      {how === 'service' ? (
        <p>{t('access.createUser.serviceHelp')}</p>
      ) : (
        <TextField
          label={how === 'mail' ? t('access.createUser.email') : t('access.createUser.emailOptional')}
          help={how === 'mail' ? t('access.createUser.emailHelp') : t('access.createUser.emailOptionalHelp')}
          {...problems.of('email')}
          type="email"
          autoComplete="off"
          value={draft.email}
          onChange={(event) => change({ email: event.target.value })}
        />
      )}
      <RolesField value={draft.roles} onChange={(roles) => change({ roles })} />
      {question}
    </ChangeDialog>
  )
}
