import { type Catalog, schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useTypedName } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { useRemoval } from './use-live-schema.ts'

/** An internal one goes with its data. Of another the definition goes, and what it leads to stays. */
export function DropCatalog({ catalog, onClose }: { catalog: Catalog; onClose: () => void }) {
  const { name, type } = catalog
  const isInternal = type === 'Internal'
  const typed = useTypedName(name)
  const drop = useRemoval(schema.dropCatalog)
  const confirm = async () => {
    if (!typed.accept()) return false
    await drop.mutateAsync({ catalog: name, cascade: isInternal })
    return true
  }
  return (
    <CatalogDialog
      danger
      title={t('catalog.drop.catalogTitle', { name })}
      confirmLabel={t('catalog.drop.catalogConfirm')}
      confirmDisabled={typed.isEmpty}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{isInternal ? t('catalog.drop.internalBody') : t('catalog.drop.catalogBody')}</p>
      {typed.field}
    </CatalogDialog>
  )
}
