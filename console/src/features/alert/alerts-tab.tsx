import '../../i18n/alerts.ts'
import { alert as calls, type AlertRule } from '@boathouse/contract/alert'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { IconBell, IconPlus } from '../../ui/icons.ts'
import {
  Button,
  ConfirmDialog,
  DataTable,
  EmptyState,
  ErrorState,
  NoPermission,
  notify,
  Panel,
  Skeleton,
} from '../../ui/index.ts'
import styles from './alert.module.css'
import { DeliveryLog } from './delivery-log.tsx'
import { ruleColumns } from './rule-columns.tsx'
import { RuleDialog } from './rule-dialog.tsx'
import { ShownSecret } from './shown-secret.tsx'

type Open =
  | { readonly is: 'create' }
  | { readonly is: 'edit' | 'remove' | 'log'; readonly rule: AlertRule }
  | { readonly is: 'secret'; readonly name: string; readonly secret: string }

/** Who is notified of which event of this account. */
export function AlertsTab() {
  const { data, error, refetch } = useCall(calls.list, {}, { silent: true })
  if (error?.codeName === 'NoPermission')
    return <NoPermission title={t('alerts.noPermission')} text={error.message} />
  if (error && !data)
    return <ErrorState title={t('alerts.failed')} what={error.message} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={240} />
  return (
    <section className={styles['tab']} aria-label={t('alerts.tab')}>
      <p className={styles['lead']}>{t('alerts.lead')}</p>
      <Rules rules={data.rules} />
    </section>
  )
}

function Rules({ rules }: { rules: readonly AlertRule[] }) {
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const saved = (name: string, secret: string | null) =>
    setOpen(secret === null ? null : { is: 'secret', name, secret })
  const create = (
    <Button
      variant={rules.length === 0 ? 'primary' : 'default'}
      leftIcon={<IconPlus size={16} aria-hidden />}
      onClick={() => setOpen({ is: 'create' })}
    >
      {t('alerts.create')}
    </Button>
  )
  return (
    <>
      {rules.length === 0 ? (
        <EmptyState
          icon={<IconBell size={28} stroke={1.5} aria-hidden />}
          title={t('alerts.empty')}
          actions={create}
        >
          <p>{t('alerts.emptyBody')}</p>
        </EmptyState>
      ) : (
        <Panel title={t('alerts.rules')} actions={create}>
          <DataTable
            inPanel
            label={t('alerts.rules')}
            rows={rules}
            rowKey={({ ruleId }) => ruleId}
            columns={ruleColumns((is, rule) => setOpen({ is, rule }))}
          />
        </Panel>
      )}
      {open?.is === 'create' && <RuleDialog rule={undefined} onSaved={saved} onClose={close} />}
      {open?.is === 'edit' && <RuleDialog rule={open.rule} onSaved={saved} onClose={close} />}
      {open?.is === 'secret' && <ShownSecret {...open} onClose={close} />}
      {open?.is === 'log' && <DeliveryLog rule={open.rule} onClose={close} />}
      {open?.is === 'remove' && <RemoveRule rule={open.rule} onClose={close} />}
    </>
  )
}

function RemoveRule({ rule: { ruleId, name }, onClose }: { rule: AlertRule; onClose: () => void }) {
  const remove = useAction(calls.delete, { refreshes: [calls.list] })
  const confirm = async () => {
    await remove.mutateAsync({ ruleId })
    notify({ tone: 'ok', message: t('alerts.removal.done') })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      title={t('alerts.removal.title', { name })}
      confirmLabel={t('alerts.removal.confirm')}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t('alerts.removal.body')}</p>
    </ConfirmDialog>
  )
}
