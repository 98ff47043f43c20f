import { schema } from '@boathouse/contract/schema'
import { t } from '../../../i18n/texts.ts'
import { useAction, useCall } from '../../../lib/api.ts'
import { ConfirmDialog, Skeleton } from '../../../ui/index.ts'
import { objectInput } from './object-input.ts'
import type { SchemaRow } from './schema-rows.ts'

interface Props {
  readonly row: SchemaRow
  readonly open: boolean
  readonly onClose: () => void
}

/** Says what is lost and what uses it; the tree follows when the service tells that it is gone. */
export function DropDialog({ row, open, onClose }: Props) {
  const { kind, name, place } = row
  const isView = kind !== 'table'
  const kindName = kind.replaceAll('_', ' ')
  const dropTable = useAction(schema.dropTable)
  const dropView = useAction(schema.dropView)
  const dropMaterialized = useAction(schema.dropMaterializedView)
  const drop = async () => {
    const where = { catalog: place.catalog, databaseName: place.database, evenIfUsed: true }
    try {
      if (kind === 'materialized_view') await dropMaterialized.mutateAsync({ ...where, mvName: name })
      else if (isView) await dropView.mutateAsync({ ...where, name })
      else await dropTable.mutateAsync({ ...where, tableName: name })
    } catch {
      // The call itself shows the user why.
    }
    onClose()
  }
  return (
    <ConfirmDialog
      open={open}
      danger
      title={t('editor.schema.drop.title', { kind: kindName, name })}
      confirmLabel={t('editor.schema.drop.confirm', { kind: kindName })}
      onConfirm={drop}
      onClose={onClose}
    >
      <p>{t(isView ? 'editor.schema.drop.viewBody' : 'editor.schema.drop.tableBody')}</p>
      <Facts row={row} />
    </ConfirmDialog>
  )
}

/** How many rows go, and what stops working. */
function Facts({ row }: { row: SchemaRow }) {
  const asked = objectInput(row)
  const options = { silent: true, staleTime: 0 }
  const detail = useCall(schema.describe, asked, { ...options, enabled: row.kind === 'table' })
  const { data, error } = useCall(schema.dependencies, asked, options)
  if (error) return <p>{t('editor.schema.drop.usersUnknown', { message: error.message })}</p>
  if (!data) return <Skeleton height={20} />
  const rows = detail.data?.rows
  const names = data.usedBy.map(({ database, name }) => `${database}.${name}`)
  const count = names.length + data.hidden
  return (
    <>
      {rows && (
        <p>
          {t(rows.exact ? 'editor.danger.rows' : 'editor.danger.aboutRows', {
            count: rows.count,
            shown: rows.count.toLocaleString('en-US'),
          })}
        </p>
      )}
      <p>
        {count === 0
          ? t('editor.schema.drop.unused')
          : t('editor.schema.drop.usedBy', { count, names: names.join(', ') })}
      </p>
    </>
  )
}
