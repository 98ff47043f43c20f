import type { BuiltInRole } from '@boathouse/contract'
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import type { RouterHistory } from '@tanstack/react-router'
import { session } from '../lib/session.ts'
import { guardPlace, startPath } from './guards.ts'
import { PAGES } from './menu.ts'
import type { PageTitle } from './menu.ts'
import { CrashPage } from './pages/crash-page.tsx'
import { NoPermissionPage } from './pages/no-permission-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PendingPage } from './pages/pending-page.tsx'
import { isPlace } from './paths.ts'
import { RootPage } from './root-page.tsx'
import { parseSearch, readEditorSearch, readLoginSearch, stringifySearch } from './search.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly title?: PageTitle
    /** SHELL-36 */
    readonly roles?: readonly BuiltInRole[]
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

const root = createRootRoute({ component: RootPage, notFoundComponent: NotFoundPage })

/** SHELL-02, SHELL-03 */
const start = createRoute({
  getParentRoute: () => root,
  path: '/',
  beforeLoad: () => {
    throw redirect({ href: startPath(session.get()), replace: true })
  },
})

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  staticData: { title: 'signIn.documentTitle' },
  validateSearch: readLoginSearch,
  component: lazyRouteComponent(() => import('./pages/login-page.tsx'), 'LoginPage'),
})

/** SHELL-04 */
const noPermission = createRoute({
  getParentRoute: () => root,
  path: '/401',
  staticData: { title: 'shell.noPermission.title' },
  component: NoPermissionPage,
})

/** SHELL-05 */
const missing = createRoute({
  getParentRoute: () => root,
  path: '/404',
  staticData: { title: 'shell.notFound.title' },
  component: NotFoundPage,
})

/** SHELL-06: opens a page anew, by an address that is not its own. */
const again = createRoute({
  getParentRoute: () => root,
  path: '/redirect/$',
  beforeLoad: ({ location }) => {
    const path = location.href.replace(/^\/redirect\/*/, '/')
    throw redirect({ href: path, replace: true })
  },
})

/** SHELL-05: whatever matches nothing else. */
const unknown = createRoute({
  getParentRoute: () => root,
  path: '/$',
  beforeLoad: () => {
    throw redirect({ to: '/404', replace: true })
  },
})

const place = createRoute({
  getParentRoute: () => root,
  path: '/$region/$aid',
  beforeLoad: ({ params, location }) => {
    if (!isPlace(params)) throw redirect({ to: '/404', replace: true })
    const instead = guardPlace(session.get(), params, location.href)
    if (instead) throw redirect({ href: instead, replace: true })
  },
  component: lazyRouteComponent(() => import('./shell/shell-layout.tsx'), 'ShellLayout'),
})

const placeStart = createRoute({
  getParentRoute: () => place,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$region/$aid/home', params, replace: true })
  },
})

/** SHELL-08 */
const home = createRoute({
  getParentRoute: () => place,
  path: PAGES.home.path,
  staticData: PAGES.home,
  component: lazyRouteComponent(() => import('./pages/home-route.tsx'), 'HomeRoute'),
})

/** SHELL-09, SHELL-10 */
const editor = createRoute({
  getParentRoute: () => place,
  path: PAGES.editor.path,
  staticData: PAGES.editor,
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import('../features/editor/editor-page.tsx'), 'EditorPage'),
})

const placeUnknown = createRoute({
  getParentRoute: () => place,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/404', replace: true })
  },
})

const routeTree = root.addChildren([
  start,
  login,
  noPermission,
  missing,
  again,
  place.addChildren([placeStart, home, editor, placeUnknown]),
  unknown,
])

/** A browser's own history unless a test hands it one. */
export const createAppRouter = (history?: RouterHistory) =>
  createRouter({
    routeTree,
    ...(history ? { history } : {}),
    parseSearch,
    stringifySearch,
    // Pages scroll below the bars, not with the window.
    scrollToTopSelectors: ['#main'],
    defaultPreload: 'intent',
    defaultPendingMs: 200,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
  })
