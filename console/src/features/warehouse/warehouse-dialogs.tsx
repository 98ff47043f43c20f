import { diagnose } from '@boathouse/contract/diagnose'
import { warehouse, type WarehouseDetails } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { DiagnosticsDialog } from '../../statement/diagnostics-dialog.tsx'
import { ConfirmDialog, Dialog, Refusal, useTypedName } from '../../ui/index.ts'
import { WarehouseForm } from './warehouse-form.tsx'
import styles from './warehouse.module.css'

/** What is being done with which warehouse; a new one has none. */
export type OpenDialog =
  | { readonly kind: 'create' }
  | { readonly kind: 'edit' | 'suspend' | 'delete' | 'diagnose'; readonly of: WarehouseDetails }

interface Props {
  readonly dialog: OpenDialog | null
  readonly onClose: () => void
  readonly onCreated?: (warehouseId: string) => void
  readonly onDeleted?: () => void
}

export function WarehouseDialogs({ dialog, onClose, onCreated, onDeleted }: Props) {
  if (!dialog) return null
  if (dialog.kind === 'create')
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('warehouse.form.createTitle')}
        width={520}
        closeOnClickOutside={false}
      >
        <WarehouseForm
          onCancel={onClose}
          onDone={({ warehouseId }) => {
            onClose()
            onCreated?.(warehouseId)
          }}
        />
      </Dialog>
    )
  if (dialog.kind === 'edit')
    return (
      <Dialog
        open
        onClose={onClose}
        title={t('warehouse.form.editTitle', { name: dialog.of.name })}
        width={520}
        closeOnClickOutside={false}
      >
        <WarehouseForm existing={dialog.of} onCancel={onClose} onDone={onClose} />
      </Dialog>
    )
  if (dialog.kind === 'diagnose') return <Diagnostics of={dialog.of} onClose={onClose} />
  return dialog.kind === 'suspend' ? (
    <SuspendDialog of={dialog.of} onClose={onClose} />
  ) : (
    <DeleteDialog of={dialog.of} onClose={onClose} onDeleted={onDeleted} />
  )
}

function Diagnostics({ of, onClose }: { of: WarehouseDetails; onClose: () => void }) {
  const asked = { warehouseId: of.warehouseId }
  const { data, error } = useCall(diagnose.warehouse, asked, { silent: true, staleTime: 0 })
  return <DiagnosticsDialog name={of.name} found={data} refusal={error?.message ?? null} onClose={onClose} />
}

function JobsWillFail({ of: { running, queued } }: { of: WarehouseDetails }) {
  return (
    <p>
      {running + queued > 0
        ? t('warehouse.jobsWillFail.some', { running, queued })
        : t('warehouse.jobsWillFail.none')}
    </p>
  )
}

/** The dialog itself shows why it was refused. */
const succeeded = async (action: Promise<unknown>): Promise<boolean> =>
  action.then(
    () => true,
    () => false,
  )

function SuspendDialog({ of, onClose }: { of: WarehouseDetails; onClose: () => void }) {
  const suspend = useAction(warehouse.suspend, {
    silent: true,
    refreshes: [warehouse.list, warehouse.describe],
  })
  const confirm = async () => {
    if (await succeeded(suspend.mutateAsync({ warehouseId: of.warehouseId }))) onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={confirm}
      title={t('warehouse.suspend.title', { name: of.name })}
      confirmLabel={t('warehouse.suspend.confirm')}
    >
      <JobsWillFail of={of} />
      {of.engine.isExisting && <p>{t('warehouse.existing.suspend')}</p>}
      <Refusal text={suspend.error?.message} />
    </ConfirmDialog>
  )
}

interface DeleteProps {
  readonly of: WarehouseDetails
  readonly onClose: () => void
  readonly onDeleted: (() => void) | undefined
}

/** It cannot be undone, so the name is typed. */
function DeleteDialog({ of, onClose, onDeleted }: DeleteProps) {
  const typed = useTypedName(of.name)
  const remove = useAction(warehouse.delete, { silent: true, refreshes: [warehouse.list] })
  const confirm = async () => {
    if (!typed.accept()) return
    if (!(await succeeded(remove.mutateAsync({ warehouseId: of.warehouseId })))) return
    onClose()
    onDeleted?.()
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={confirm}
      confirmDisabled={typed.isEmpty}
      title={t('warehouse.delete.title', { name: of.name })}
      confirmLabel={t('warehouse.delete.confirm')}
    >
      <div className={styles['form']}>
        <p>{t('warehouse.delete.body')}</p>
        <JobsWillFail of={of} />
        {typed.field}
        <Refusal text={remove.error?.message} />
      </div>
    </ConfirmDialog>
  )
}
