import '../../i18n/i18n.ts'
import { contract, LAYOUT } from '@boathouse/contract'
import type { UserInfo } from '@boathouse/contract'
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCall } from '../../lib/api.ts'
import { RealtimeProvider } from '../../lib/realtime-context.tsx'
import { reloadOnPermissionChange } from '../../lib/realtime.ts'
import { session, useSession } from '../../lib/session.ts'
import { KitProvider } from '../../ui/index.ts'
import { useAccountPoll } from './account-watch.ts'
import { menuWidth, useRelayout } from './menu-width.ts'
import { PageArea } from './page-area.tsx'
import { ReloginDialog } from './relogin-dialog.tsx'
import { useServices } from './services.ts'
import styles from './shell-layout.module.css'
import { SideMenu } from './side-menu.tsx'
import { TopBar } from './top-bar.tsx'

/** Around every page of the application. Nothing is left of it the moment the login is gone. */
export function ShellLayout() {
  const { user } = useSession()
  const [queries] = useState(useServices().queries)
  return (
    user && (
      <KitProvider>
        <QueryClientProvider client={queries}>
          <Shell user={user} />
        </QueryClientProvider>
      </KitProvider>
    )
  )
}

function Shell({ user }: { user: UserInfo }) {
  const { t } = useTranslation()
  const place = useParams({ from: '/$region/$aid' })
  const mode = useSession().menuCollapseType
  const client = useChannel()
  useRelayout(menuWidth(mode))
  useFreshUser()
  useAccountPoll(user, client)
  const style = { '--nav-height': `${LAYOUT.navHeightPx}px` } as React.CSSProperties
  return (
    <RealtimeProvider client={client}>
      <div className={styles['shell']} style={style}>
        <a href="#main" className={styles['skip']}>
          {t('shell.skip')}
        </a>
        <TopBar user={user} place={place} />
        <div className={styles['below']}>
          <SideMenu user={user} place={place} mode={mode} />
          <PageArea user={user} />
        </div>
      </div>
      <ReloginDialog />
    </RealtimeProvider>
  )
}

/** CHANNEL-03: the first page after sign-in opens the channel. */
function useChannel() {
  const { realtime } = useServices()
  const [client] = useState(realtime)
  const queries = useQueryClient()
  useEffect(() => reloadOnPermissionChange(client, queries), [client, queries])
  return client
}

/** Roles and state may have changed since sign-in; menu and guards follow what the service says now. */
function useFreshUser(): void {
  const { data } = useCall(contract.user.info, {})
  useEffect(() => {
    if (data) session.setUser(data)
  }, [data])
}
