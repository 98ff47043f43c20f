import { DatabaseName } from '@boathouse/contract/object-names'
import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { ruleOf } from '../../lib/form.ts'
import { NameField, useProblems } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { useChange } from './use-live-schema.ts'

interface Props {
  readonly catalog: string
  readonly onClose: () => void
  readonly onCreated: (name: string) => void
}

export function CreateDatabase({ catalog, onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const problems = useProblems({ name: ruleOf(DatabaseName)(name, null) })
  const create = useChange(schema.createDatabase)
  const confirm = async () => {
    if (!problems.accept()) return false
    await create.mutateAsync({ catalog, databaseName: name })
    onCreated(name)
    return true
  }
  return (
    <CatalogDialog
      title={t('catalog.createDatabase.title', { catalog })}
      confirmLabel={t('catalog.createDatabase.action')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <NameField
        {...problems.of('name')}
        label={t('catalog.column.name')}
        help={t('catalog.nameHelp', { most: LIMITS.databaseNameLength })}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </CatalogDialog>
  )
}
