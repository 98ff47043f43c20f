import { holdsRoles } from '@boathouse/contract/roles'
import type { UserInfo } from '@boathouse/contract/user'
import { useQueryClient } from '@tanstack/react-query'
import { Outlet, useLocation, useMatches } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useFailedRender } from '../failed-render.ts'
import { NoPermissionState } from '../pages/no-permission-page.tsx'
import { RequestErrorState } from '../pages/request-error-state.tsx'
import { belongsToPage } from '../request-error.ts'
import styles from './shell-layout.module.css'

/** The page itself, or why it cannot be shown. */
export function PageArea({ user }: { user: UserInfo }) {
  const pathname = useLocation({ select: (location) => location.pathname })
  const main = useFocusOnArrival(pathname)
  return (
    <main id="main" ref={main} tabIndex={-1} className={styles['main']}>
      <PageContent key={pathname} user={user} />
    </main>
  )
}

function PageContent({ user }: { user: UserInfo }) {
  const [startedAt] = useState(() => Date.now())
  const queries = useQueryClient()
  const [failed, forget] = useFailedRender()
  const roles = useMatches({ select: (matches) => matches.flatMap((match) => match.staticData.roles ?? []) })
  if (!holdsRoles(user, roles)) return <NoPermissionState roles={roles} />
  if (!belongsToPage(failed, startedAt)) return <Outlet />
  const reload = () => {
    forget()
    void queries.resetQueries({ predicate: (query) => query.state.status === 'error' })
  }
  return <RequestErrorState error={failed.error} onReload={reload} />
}

/** A new page is read from its beginning, by ear as by eye; the first one of a document is anyway. */
function useFocusOnArrival(pathname: string) {
  const main = useRef<HTMLElement>(null)
  const known = useRef(pathname)
  useEffect(() => {
    if (known.current === pathname) return
    known.current = pathname
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  return main
}
