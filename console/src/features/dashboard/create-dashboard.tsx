import { dashboard as calls, DashboardName } from '@boathouse/contract/dashboard'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { FormDialog, NameField, useProblems } from '../../ui/index.ts'

interface Props {
  readonly onClose: () => void
  readonly onCreated: (dashboardId: string) => void
}

export function CreateDashboard({ onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const parsed = DashboardName.safeParse(name)
  const problems = useProblems({ name: parsed.success ? undefined : parsed.error.issues[0]?.message })
  const create = useAction(calls.create, { refreshes: [calls.list] })
  const save = async () => {
    if (!problems.accept()) return
    try {
      onCreated((await create.mutateAsync({ name })).dashboard.dashboardId)
    } catch {
      // The form says why.
    }
  }
  return (
    <FormDialog
      title={t('dashboards.create')}
      confirmLabel={t('dashboards.create')}
      isWorking={create.isPending}
      refusal={create.error?.message}
      onSubmit={save}
      onClose={onClose}
    >
      <NameField
        {...problems.of('name')}
        label={t('dashboards.name')}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
    </FormDialog>
  )
}
