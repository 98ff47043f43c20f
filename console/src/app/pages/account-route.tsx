import { useLocation, useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { AccountPage } from '../../features/account/account-page.tsx'
import type { AccountPageSearch } from '../../features/account/account-page.tsx'
import { lazy, Suspense } from 'react'
import { t } from '../../i18n/texts.ts'
import { signInOrigin } from '../../lib/hosts.ts'
import { useSession } from '../../lib/session.ts'
import { signInPath } from '../paths.ts'
import { useOverlay } from '../shell/overlay.ts'
import { SupportContact } from '../support-contact.tsx'

const CardDialog = lazy(() =>
  import('../../features/payment/card-dialog.tsx').then((module) => ({ default: module.CardDialog })),
)

function AccountCard({ onClose }: { onClose: () => void }) {
  return (
    <Suspense fallback={null}>
      <CardDialog hasCard={false} onClose={onClose} />
    </Suspense>
  )
}

export function AccountRoute() {
  const search = useSearch({ from: '/$region/$aid/admin/account' })
  const navigate = useNavigate({ from: '/$region/$aid/admin/account' })
  const { user } = useSession()
  const { show } = useOverlay()
  const router = useRouter()
  const { pathname } = useLocation()
  const change = (next: AccountPageSearch) => {
    // A user who deletes the account is redirected to sign-in, perhaps before the answer arrives.
    if (router.latestLocation.pathname !== pathname) return
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  }
  return (
    user && (
      <AccountPage
        user={user}
        search={search}
        onSearch={change}
        signInAddress={(accountId, region) =>
          new URL(signInPath(accountId, region), signInOrigin(region)).href
        }
        support={<SupportContact />}
        CardDialog={AccountCard}
        cardWord={t('account.card')}
        onAddEmail={() => show('profile')}
      />
    )
  )
}
