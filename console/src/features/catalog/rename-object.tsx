import { ObjectPart } from '@boathouse/contract/schema-objects'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { TextField } from '../../ui/index.ts'
import { Users } from './drop-object.tsx'
import { CatalogDialog } from './catalog-dialog.tsx'
import { inputOf, type ThisObject, typeName } from './this-object.ts'
import { useRemoval } from './use-live-schema.ts'

interface Props {
  readonly of: ThisObject
  readonly onClose: () => void
  readonly onRenamed: (name: string) => void
}

export function RenameObject({ of, onClose, onRenamed }: Props) {
  const [name, setName] = useState(of.name)
  const [error, setError] = useState<string>()
  const rename = useRemoval(schema.rename)
  const confirm = async () => {
    const wrong = ObjectPart.safeParse(name).error?.issues[0]?.message
    setError(wrong)
    if (wrong) return false
    if (name === of.name) return true
    await rename.mutateAsync({ ...inputOf(of), newName: name, evenIfUsed: true })
    onRenamed(name)
    return true
  }
  return (
    <CatalogDialog
      title={t('catalog.rename.title', { kind: typeName(of.type).toLowerCase(), name: of.name })}
      confirmLabel={t('catalog.rename.confirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <TextField
        label={t('catalog.rename.newName')}
        error={error}
        mono
        data-autofocus
        autoComplete="off"
        spellCheck={false}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Users of={of} />
    </CatalogDialog>
  )
}
