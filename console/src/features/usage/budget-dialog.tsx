import { type Budget, type BudgetAction, budget as calls, BudgetUsd } from '@boathouse/contract/budget'
import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useAction } from '../../lib/api.ts'
import { ruleOf, useForm } from '../../lib/form.ts'
import { Button, Dialog, notify, Refusal, Select, TextField } from '../../ui/index.ts'
import styles from './usage.module.css'

/** What a budget can be set for. */
export interface BudgetScope {
  readonly label: string
  readonly accountId?: string
  readonly warehouseId?: string
}

interface Props {
  /** Undefined: a new one. */
  readonly budget: Budget | undefined
  readonly name: string | undefined
  readonly scopes: readonly BudgetScope[]
  readonly onClose: () => void
}

const ACTIONS: readonly BudgetAction[] = ['warn', 'stop', 'suspend']
const PERCENTS = ['50', '80', '90', '100'] as const

const scopeOf = ({ accountId, warehouseId }: Budget): BudgetScope => ({
  label: '',
  ...(accountId === null ? {} : { accountId }),
  ...(warehouseId === null ? {} : { warehouseId }),
})

export function BudgetDialog({ budget, name, scopes, onClose }: Props) {
  const [chosen, setChosen] = useState('0')
  const [percent, setPercent] = useState(String(budget?.warnPercent ?? 80))
  const [action, setAction] = useState<BudgetAction>(budget?.action ?? 'warn')
  const set = useAction(calls.set, { silent: true, refreshes: [calls.list] })
  const form = useForm({ usd: budget?.usd ?? '' }, { usd: ruleOf(BudgetUsd) })
  const scope = budget ? scopeOf(budget) : scopes[Number(chosen)]
  const submit = form.onSubmit(async ({ usd }) => {
    const { label: _, ...about } = scope ?? { label: '' }
    await set.mutateAsync({ ...about, usd, warnPercent: Number(percent), action })
    notify({ tone: 'ok', message: t('usage.budgets.saved') })
    onClose()
  })
  const percents = [...new Set([...PERCENTS, percent])].sort((one, other) => Number(one) - Number(other))
  return (
    <Dialog
      open
      onClose={onClose}
      title={name ? t('usage.budgets.editTitle', { name }) : t('usage.budgets.setTitle')}
    >
      <form className={styles['part']} onSubmit={submit} noValidate>
        {!budget && (
          <Select
            label={t('usage.budgets.what')}
            value={chosen}
            options={scopes.map(({ label }, index) => ({ value: String(index), label }))}
            onChange={setChosen}
            searchable={scopes.length > 10}
          />
        )}
        <TextField
          label={t('usage.budgets.amount')}
          help={t('usage.budgets.amountHelp')}
          inputMode="decimal"
          autoComplete="off"
          data-autofocus
          {...form.field('usd')}
        />
        <Select
          label={t('usage.budgets.warnAt')}
          value={percent}
          options={percents.map((value) => ({
            value,
            label: t('usage.budgets.percent', { percent: value }),
          }))}
          onChange={setPercent}
        />
        <Select
          label={t('usage.budgets.action')}
          value={action}
          options={ACTIONS.map((value) => ({ value, label: t(`usage.budgets.actions.${value}`) }))}
          onChange={(next) => setAction(ACTIONS.find((one) => one === next) ?? 'warn')}
        />
        <p className={styles['note']}>{t(`usage.budgets.means.${action}`)}</p>
        <Refusal text={form.refused} />
        <div className={styles['ends']}>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button type="submit" variant="primary" loading={form.working}>
            {t('usage.budgets.save')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
