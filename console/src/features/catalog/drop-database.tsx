import { type Database, schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useTypedName } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { useRemoval } from './use-live-schema.ts'

interface Props {
  readonly catalog: string
  readonly of: Pick<Database, 'name' | 'tables'>
  readonly onClose: () => void
  readonly onDropped?: () => void
}

/** Says how much goes with it, and has the name typed. */
export function DropDatabase({ catalog, of: { name, tables }, onClose, onDropped }: Props) {
  const typed = useTypedName(name)
  const drop = useRemoval(schema.dropDatabase)
  const confirm = async () => {
    if (!typed.accept()) return false
    await drop.mutateAsync({ catalog, databaseName: name, cascade: true })
    onDropped?.()
    return true
  }
  const lost =
    tables === undefined
      ? t('catalog.drop.databaseAll')
      : tables === 0
        ? t('catalog.drop.databaseEmpty')
        : t('catalog.drop.databaseHolds', { count: tables })
  return (
    <CatalogDialog
      danger
      title={t('catalog.drop.databaseTitle', { name })}
      confirmLabel={t('catalog.drop.databaseConfirm')}
      confirmDisabled={typed.isEmpty}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{lost}</p>
      {typed.field}
    </CatalogDialog>
  )
}
