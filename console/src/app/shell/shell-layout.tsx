import { SHELL_STATES } from '@boathouse/contract/account-state'
import { LAYOUT } from '@boathouse/contract/limits'
import { MESSAGE_TYPES, user as userCalls, type UserInfo } from '@boathouse/contract/user'
import { QueryClientProvider, useQueryClient } from '@tanstack/react-query'
import { useMatches, useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { useCall } from '../../lib/api.ts'
import { useNarrow } from '../../lib/narrow.ts'
import { RealtimeProvider } from '../../lib/realtime-context.tsx'
import { reloadOnPermissionChange } from '../../lib/realtime.ts'
import { personOf } from '../../lib/session-values.ts'
import { session, useSession } from '../../lib/session.ts'
import { forgetNotices, rememberNotice } from '../../ui/index.ts'
import { useAccountPoll } from './account-watch.ts'
import { menuModeOn, menuWidth, useRelayout } from './menu-width.ts'
import { OverlayContext, useOverlays } from './overlay.ts'
import { Overlays } from './overlays.tsx'
import { PageArea } from './page-area.tsx'
import { Relogin } from './relogin/relogin.tsx'
import { useServices } from './services.ts'
import styles from './shell-layout.module.css'
import { SideMenu } from './side-menu.tsx'
import { TopBar } from './top-bar.tsx'

const AccountDialogs = lazy(() =>
  import('./account/account-dialogs.tsx').then((module) => ({ default: module.AccountDialogs })),
)

/** Around every page of the application. Nothing is left of it the moment the login is gone. */
export function ShellLayout() {
  const { user } = useSession()
  const [queries] = useState(useServices().queries)
  return (
    user && (
      <QueryClientProvider client={queries}>
        {/* Of the work of one person nothing is left for the next. */}
        <Shell key={personOf({ user })} user={user} />
      </QueryClientProvider>
    )
  )
}

function Shell({ user }: { user: UserInfo }) {
  const place = useParams({ from: '/$region/$aid' })
  const chosen = useSession().menuCollapseType
  const hidesMenu = useMatches({ select: (matches) => matches.some((one) => one.staticData.hidesMenu) })
  const isWide = useMatches({ select: (matches) => matches.some((one) => one.staticData.isWide) })
  const mode = menuModeOn(chosen, { page: isWide, window: useNarrow() })
  const client = useChannel()
  const overlays = useOverlays()
  useEffect(() => forgetNotices, [])
  useRelayout(menuWidth(mode))
  useFreshUser()
  const renders = useAccountPoll(user, client)
  const style = { '--nav-height': `${LAYOUT.navHeightPx}px` } as React.CSSProperties
  return (
    <RealtimeProvider client={client}>
      <OverlayContext value={overlays}>
        <div className={styles['shell']} style={style}>
          <a href="#main" className={styles['skip']}>
            {t('shell.skip')}
          </a>
          <TopBar user={user} place={place} />
          <div className={styles['below']}>
            {!hidesMenu && <SideMenu user={user} place={place} mode={mode} />}
            <PageArea key={renders} user={user} />
          </div>
        </div>
        <Overlays user={user} place={place} />
      </OverlayContext>
      <Relogin user={user} />
      <AccountNews user={user} />
    </RealtimeProvider>
  )
}

/** The bell shows all others. */
const ABOUT_TRIAL: readonly number[] = [MESSAGE_TYPES.TrialStarted, MESSAGE_TYPES.TrialEnding]

/** On most days there is nothing to say of the account, and nothing is loaded to say it. */
function AccountNews({ user }: { user: UserInfo }) {
  const { data } = useCall(userCalls.listUnreadMessages, {}, { silent: true })
  const hasNews = data?.messages.some(({ type }) => ABOUT_TRIAL.includes(type)) ?? false
  const isQuiet = !hasNews && user.accountState === SHELL_STATES.Active
  if (isQuiet) return null
  return (
    <Suspense fallback={null}>
      <AccountDialogs user={user} />
    </Suspense>
  )
}

/** The first page after sign-in opens the channel. */
function useChannel() {
  const { realtime } = useServices()
  const [client] = useState(realtime)
  const queries = useQueryClient()
  useEffect(() => reloadOnPermissionChange(client, queries), [client, queries])
  return client
}

/** Roles and state may have changed since sign-in; menu and guards follow what the service says now. */
function useFreshUser(): void {
  const { data } = useCall(userCalls.info, {})
  useEffect(() => {
    if (!data) return
    const before = session.get().user?.activeRoles.join(', ')
    const roles = data.activeRoles.join(', ')
    if (before !== undefined && before !== roles)
      rememberNotice({
        tone: 'info',
        message: t('shell.rolesChanged', { roles: roles || t('shell.user.noRoles') }),
      })
    session.setUser(data)
  }, [data])
}
