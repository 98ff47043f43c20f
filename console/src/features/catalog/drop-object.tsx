import { schema } from '@boathouse/contract/schema'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { Skeleton, useTypedName } from '../../ui/index.ts'
import { CatalogDialog } from './catalog-dialog.tsx'
import { inputOf, type ThisObject, typeName } from './this-object.ts'
import { useRemoval } from './use-live-schema.ts'

interface Props {
  readonly of: ThisObject
  readonly onClose: () => void
  readonly onDropped?: () => void
}

/** Names what uses it, and has the name typed. */
export function DropObject({ of, onClose, onDropped }: Props) {
  const { catalog, database, name, type } = of
  const typed = useTypedName(name)
  const dropTable = useRemoval(schema.dropTable)
  const dropView = useRemoval(schema.dropView)
  const dropMaterialized = useRemoval(schema.dropMaterializedView)
  const confirm = async () => {
    if (!typed.accept()) return false
    const place = { catalog, databaseName: database, evenIfUsed: true }
    if (type === 'view') await dropView.mutateAsync({ ...place, name })
    else if (type === 'materialized_view') await dropMaterialized.mutateAsync({ ...place, mvName: name })
    else await dropTable.mutateAsync({ ...place, tableName: name })
    onDropped?.()
    return true
  }
  const kind = typeName(type).toLowerCase()
  return (
    <CatalogDialog
      danger
      title={t('catalog.drop.title', { kind, name })}
      confirmLabel={t('catalog.drop.confirm', { kind })}
      confirmDisabled={typed.isEmpty}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{bodyOf(type)}</p>
      <Users of={of} />
      {typed.field}
    </CatalogDialog>
  )
}

const bodyOf = (type: ThisObject['type']): string =>
  ({
    table: t('catalog.drop.tableBody'),
    view: t('catalog.drop.viewBody'),
    materialized_view: t('catalog.drop.materializedBody'),
  })[type]

/** What would stop working. */
export function Users({ of }: { of: ThisObject }) {
  const { data, error } = useCall(schema.dependencies, inputOf(of), { silent: true })
  if (error) return <p>{t('catalog.drop.usersUnknown', { message: error.message })}</p>
  if (!data) return <Skeleton height={20} />
  const { usedBy, hidden } = data
  if (usedBy.length + hidden === 0) return <p>{t('catalog.drop.unused')}</p>
  return (
    <div>
      <p>{t('catalog.drop.usedBy', { count: usedBy.length + hidden })}</p>
      <ul>
        {usedBy.map(({ database, name }) => (
          <li key={`${database}.${name}`}>
            <code>{`${database}.${name}`}</code>
          </li>
        ))}
        {hidden > 0 && <li>{t('catalog.hidden', { count: hidden })}</li>}
      </ul>
    </div>
  )
}
