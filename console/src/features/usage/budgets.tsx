import { type Budget, budget, type BudgetState } from '@boathouse/contract/budget'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction, useCall } from '../../lib/api.ts'
import { isMailKept } from '../../lib/kept-mail.ts'
import { useSession } from '../../lib/session.ts'
import { IconPlus } from '../../ui/icons.ts'
import {
  Button,
  ConfirmDialog,
  DataTable,
  EmptyState,
  ErrorState,
  notify,
  Panel,
  Skeleton,
  StateDot,
  type TableColumn,
  type Tone,
} from '../../ui/index.ts'
import { BudgetDialog, type BudgetScope } from './budget-dialog.tsx'
import { monthName } from './month-names.ts'
import styles from './usage.module.css'

const TONES: Readonly<Record<BudgetState, Tone>> = { open: 'ok', warned: 'warn', reached: 'err' }

const nameOf = ({ scope, accountName, warehouseName }: Budget): string =>
  scope === 'organisation'
    ? t('usage.budgets.organisation')
    : scope === 'account'
      ? t('usage.budgets.ofAccount', { name: accountName ?? '' })
      : t('usage.budgets.ofWarehouse', { name: warehouseName ?? '' })

interface Props {
  readonly scopes: readonly BudgetScope[]
  readonly onAddEmail: () => void
}

/** What may be spent in a month, and what was. */
export function Budgets({ scopes, onAddEmail }: Props) {
  const { data, isError, refetch } = useCall(budget.list, {}, { silent: true })
  const [edited, setEdited] = useState<Budget | 'new'>()
  const [removed, setRemoved] = useState<Budget>()
  if (isError) return <ErrorState title={t('usage.budgets.failed')} onRetry={() => void refetch()} />
  if (!data) return <Skeleton height={120} />
  const set = (
    <Button leftIcon={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
      {t('usage.budgets.set')}
    </Button>
  )
  return (
    <Panel
      title={t('usage.budgets.title', { month: monthName(data.month) })}
      actions={data.budgets.length > 0 && set}
    >
      <MailNote unmailed={data.unmailed} onAddEmail={onAddEmail} />
      {data.budgets.length === 0 ? (
        <EmptyState title={t('usage.budgets.emptyTitle')} actions={set}>
          <p>{t('usage.budgets.empty')}</p>
        </EmptyState>
      ) : (
        <DataTable
          inPanel
          label={t('usage.budgets.label')}
          rows={data.budgets}
          rowKey={({ budgetId }) => budgetId}
          columns={columnsOf({ onEdit: setEdited, onRemove: setRemoved })}
        />
      )}
      {edited && (
        <BudgetDialog
          budget={edited === 'new' ? undefined : edited}
          name={edited === 'new' ? undefined : nameOf(edited)}
          scopes={scopes}
          onClose={() => setEdited(undefined)}
        />
      )}
      {removed && (
        <RemoveBudget budget={removed} name={nameOf(removed)} onClose={() => setRemoved(undefined)} />
      )}
    </Panel>
  )
}

/** Of administrators whom a mail about a budget does not reach, and where that is mended. */
function MailNote({ unmailed, onAddEmail }: { unmailed: readonly string[]; onAddEmail: () => void }) {
  const me = useSession().user?.user ?? ''
  return (
    <>
      {unmailed.length > 0 && (
        <p className={styles['note']}>
          {t('usage.budgets.unmailed', { names: unmailed.join(', ') })}{' '}
          {unmailed.includes(me) && (
            <Button size="sm" onClick={onAddEmail}>
              {t('usage.budgets.addMail')}
            </Button>
          )}
        </p>
      )}
      {isMailKept() && <p className={styles['note']}>{t('shell.mailKept')}</p>}
    </>
  )
}

interface Changes {
  readonly onEdit: (budget: Budget) => void
  readonly onRemove: (budget: Budget) => void
}

/** In a function: the texts of the page are there when it is shown. */
const columnsOf = (changes: Changes): TableColumn<Budget>[] => [
  { key: 'what', header: t('usage.budgets.what'), cell: nameOf },
  { key: 'usd', header: t('usage.budgets.usd'), align: 'end', cell: ({ usd }) => usd },
  { key: 'spent', header: t('usage.budgets.spent'), align: 'end', cell: ({ spentUsd }) => spentUsd },
  {
    key: 'state',
    header: t('usage.budgets.state'),
    cell: ({ state, percent }) => (
      <StateDot tone={TONES[state]}>{t(`usage.budgets.states.${state}`, { percent })}</StateDot>
    ),
  },
  {
    key: 'action',
    header: t('usage.budgets.action'),
    cell: ({ action }) => t(`usage.budgets.actions.${action}`),
  },
  {
    key: 'change',
    header: t('usage.budgets.change'),
    hideHeader: true,
    align: 'end',
    cell: (one) => <Change budget={one} {...changes} />,
  },
]

function Change({ budget: one, onEdit, onRemove }: Changes & { readonly budget: Budget }) {
  if (!one.mayChange) return <span className={styles['note']}>{t('usage.budgets.byRoot')}</span>
  return (
    <span className={styles['tools']}>
      <Button
        size="sm"
        aria-label={t('usage.budgets.editOf', { name: nameOf(one) })}
        onClick={() => onEdit(one)}
      >
        {t('usage.budgets.edit')}
      </Button>
      <Button
        size="sm"
        aria-label={t('usage.budgets.removeOf', { name: nameOf(one) })}
        onClick={() => onRemove(one)}
      >
        {t('usage.budgets.remove')}
      </Button>
    </span>
  )
}

function RemoveBudget({ budget: one, name, onClose }: { budget: Budget; name: string; onClose: () => void }) {
  const remove = useAction(budget.delete, { refreshes: [budget.list] })
  const confirm = async () => {
    try {
      await remove.mutateAsync({ budgetId: one.budgetId })
    } catch {
      // The call itself has shown it; the dialog stays for another try.
      return
    }
    notify({ tone: 'ok', message: t('usage.budgets.removed') })
    onClose()
  }
  return (
    <ConfirmDialog
      open
      danger
      onClose={onClose}
      onConfirm={confirm}
      title={t('usage.budgets.removeTitle')}
      confirmLabel={t('usage.budgets.removeConfirm')}
    >
      {t('usage.budgets.removeBody', { name, usd: one.usd })}
    </ConfirmDialog>
  )
}
