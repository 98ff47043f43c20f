import { ObjectPart } from '@boathouse/contract/schema-objects'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { ruleOf } from '../../lib/form.ts'
import { NameField, useProblems } from '../../ui/index.ts'
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
  const problems = useProblems({ newName: ruleOf(ObjectPart)(name, null) })
  const rename = useRemoval(schema.rename)
  const confirm = async () => {
    if (!problems.accept()) return false
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
      <NameField
        {...problems.of('newName')}
        label={t('catalog.rename.newName')}
        data-autofocus
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Users of={of} />
    </CatalogDialog>
  )
}
