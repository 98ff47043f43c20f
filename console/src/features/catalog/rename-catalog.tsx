import { CatalogName } from '@boathouse/contract/object-names'
import { schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { isCallError } from '../../lib/api.ts'
import { ruleOf } from '../../lib/form.ts'
import { NameField, Switch, useProblems } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { useRemoval } from './use-live-schema.ts'

/** Statements that name it stop working: the dialog says so first, and asks for agreement. */
export function RenameCatalog({ name, onClose }: { name: string; onClose: () => void }) {
  const [newName, setNewName] = useState(name)
  const problems = useProblems({ newName: ruleOf(CatalogName)(newName, null) })
  const [evenIfUsed, setEvenIfUsed] = useState(false)
  const [isRefused, setRefused] = useState(false)
  const rename = useRemoval(schema.renameCatalog)
  const confirm = async () => {
    if (!problems.accept()) return false
    if (newName === name) return true
    try {
      await rename.mutateAsync({ catalog: name, newName, evenIfUsed })
    } catch (refusal) {
      setRefused(isCallError(refusal) && refusal.codeName === 'Conflict')
      throw refusal
    }
    return true
  }
  return (
    <CatalogDialog
      title={t('catalog.rename.catalogTitle', { name })}
      confirmLabel={t('catalog.rename.confirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('catalog.rename.catalogBody')}</p>
      <NameField
        {...problems.of('newName')}
        label={t('catalog.rename.newName')}
        data-autofocus
        value={newName}
        onChange={(event) => setNewName(event.target.value)}
      />
      {isRefused && (
        <Switch label={t('catalog.rename.evenIfUsed')} checked={evenIfUsed} onChange={setEvenIfUsed} />
      )}
    </CatalogDialog>
  )
}
