import '../../i18n/alerts.ts'
import '../../i18n/payment.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { AlertsTab } from '../../features/alert/alerts-tab.tsx'
import { CardDialog } from '../../features/payment/card-dialog.tsx'
import { UsagePage, type UsageSearch } from '../../features/usage/usage-page.tsx'
import { t } from '../../i18n/texts.ts'
import { useOverlay } from '../shell/overlay.ts'

export function UsageRoute() {
  const search = useSearch({ from: '/$region/$aid/admin/usage-and-billing' })
  const navigate = useNavigate({ from: '/$region/$aid/admin/usage-and-billing' })
  const { show } = useOverlay()
  return (
    <UsagePage
      search={search}
      onSearch={(change: UsageSearch) =>
        void navigate({ search: (before) => ({ ...before, ...change }), replace: true })
      }
      CardDialog={CardDialog}
      alerts={{ label: t('alerts.tab'), content: <AlertsTab /> }}
      onAddEmail={() => show('profile')}
      cardWords={{ add: t('payment.add'), change: t('payment.change') }}
    />
  )
}
