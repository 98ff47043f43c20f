import { LIMITS } from '@boathouse/contract/limits'
import { perms } from '@boathouse/contract/perms'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { NameField, notify, TextField, useProblems } from '../../ui/index.ts'
import { ChangeDialog } from './change-dialog.tsx'
import { problemsOf } from '../../lib/call-problems.ts'
import { useChange } from './use-change.ts'

interface Props {
  readonly onClose: () => void
  readonly onCreated: (role: string) => void
}

export function CreateRole({ onClose, onCreated }: Props) {
  const [draft, setDraft] = useState({ role: '', comment: '' })
  const create = useChange(perms.createRole)
  const input = { role: draft.role.trim(), comment: draft.comment }
  const problems = useProblems(problemsOf(perms.createRole, input))
  const confirm = async () => {
    if (!problems.accept()) return false
    await create.mutateAsync(input)
    notify({ tone: 'ok', message: t('access.createRole.done', { name: input.role }) })
    onCreated(input.role)
    return true
  }
  return (
    <ChangeDialog
      title={t('access.createRole.title')}
      confirmLabel={t('access.createRole.submit')}
      planned={null}
      onConfirm={confirm}
      onClose={onClose}
    >
      <NameField
        {...problems.of('role')}
        label={t('access.createRole.name')}
        help={t('access.createRole.nameHelp', { most: LIMITS.roleNameLength })}
        data-autofocus
        value={draft.role}
        onChange={(event) => setDraft({ ...draft, role: event.target.value })}
      />
      <TextField
        {...problems.of('comment')}
        label={t('access.createRole.comment')}
        help={t('access.createRole.commentHelp')}
        value={draft.comment}
        onChange={(event) => setDraft({ ...draft, comment: event.target.value })}
      />
    </ChangeDialog>
  )
}
