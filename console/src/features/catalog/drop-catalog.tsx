import { type Catalog, schema } from '@boathouse/contract/schema'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { TypedName } from './typed-name.tsx'
import { useRemoval } from './use-live-schema.ts'

/** CATALOG-09: an internal one goes with its data. Of another the definition goes, and what it leads to stays. */
export function DropCatalog({ catalog, onClose }: { catalog: Catalog; onClose: () => void }) {
  const { name, type } = catalog
  const isInternal = type === 'Internal'
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const drop = useRemoval(schema.dropCatalog)
  const confirm = async () => {
    setWrong(typed !== name)
    if (typed !== name) return false
    await drop.mutateAsync({ catalog: name, cascade: isInternal })
    return true
  }
  return (
    <CatalogDialog
      danger
      title={t('catalog.drop.catalogTitle', { name })}
      confirmLabel={t('catalog.drop.catalogConfirm')}
      confirmDisabled={typed === ''}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{isInternal ? t('catalog.drop.internalBody') : t('catalog.drop.catalogBody')}</p>
      <TypedName name={name} typed={typed} isWrong={isWrong} onType={setTyped} />
    </CatalogDialog>
  )
}
