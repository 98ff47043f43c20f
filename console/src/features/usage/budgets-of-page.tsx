import { warehouse } from '@boathouse/contract/warehouse'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useSession } from '../../lib/session.ts'
import type { BudgetScope } from './budget-dialog.tsx'
import { Budgets } from './budgets.tsx'

interface Props {
  readonly accounts: readonly { readonly accountId: string; readonly name: string }[]
  readonly isRoot: boolean
  readonly onAddEmail: () => void
}

/** The organisation and its accounts, or the user's account, and its warehouses. */
export function BudgetsOfPage({ accounts, isRoot, onAddEmail }: Props) {
  const warehouses = useCall(warehouse.list, {}, { silent: true }).data?.warehouses ?? []
  const own = useSession().account
  const scopes: BudgetScope[] = [
    ...(isRoot ? [{ label: t('usage.budgets.organisation') }] : []),
    ...accounts.map(({ accountId, name }) => ({ accountId, label: t('usage.budgets.ofAccount', { name }) })),
    ...(own
      ? warehouses.map(({ warehouseId, name }) => ({
          accountId: own,
          warehouseId,
          label: t('usage.budgets.ofWarehouse', { name }),
        }))
      : []),
  ]
  return <Budgets scopes={scopes} onAddEmail={onAddEmail} />
}
