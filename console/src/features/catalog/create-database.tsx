import { DatabaseName } from '@boathouse/contract/object-names'
import { LIMITS } from '@boathouse/contract/limits'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { TextField } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { useChange } from './use-live-schema.ts'

interface Props {
  readonly catalog: string
  readonly onClose: () => void
  readonly onCreated: (name: string) => void
}

export function CreateDatabase({ catalog, onClose, onCreated }: Props) {
  const [name, setName] = useState('')
  const [error, setError] = useState<string>()
  const create = useChange(schema.createDatabase)
  const confirm = async () => {
    const wrong = DatabaseName.safeParse(name).error?.issues[0]?.message
    setError(wrong)
    if (wrong) return false
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
      <TextField
        label={t('catalog.column.name')}
        help={t('catalog.nameHelp', { most: LIMITS.databaseNameLength })}
        error={error}
        mono
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
    </CatalogDialog>
  )
}
