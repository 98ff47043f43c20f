import type { BuiltInRole } from '@boathouse/contract/roles'
import {
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type RouterHistory,
} from '@tanstack/react-router'
import { session } from '../lib/session.ts'
import { dashboard, dashboards } from './dashboard-routes.ts'
import { startPath } from './guards.ts'
import { PAGES, type PageTitle } from './menu.ts'
import { CrashPage } from './pages/crash-page.tsx'
import { NoPermissionPage } from './pages/no-permission-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PendingPage } from './pages/pending-page.tsx'
import { place } from './place-route.ts'
import { root } from './root-route.ts'
import {
  parseSearch,
  readAccessSearch,
  readAccountSearch,
  readActivationSearch,
  readActivitySearch,
  readEditorSearch,
  readIntegrationSearch,
  readLinkSearch,
  readLoadSearch,
  readLoginSearch,
  readSecuritySearch,
  readUsageSearch,
  readWarehouseSearch,
  stringifySearch,
} from './search.ts'
import { confirmEmail, resetPassword, setupPassword } from './link-routes.ts'
import { ssoConfirm, ssoRedirect } from './sso-routes.ts'
import { freeTrial, freeTrialExpired, freeTrialReceived } from './trial-routes.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    readonly title?: PageTitle
    readonly roles?: readonly BuiltInRole[]
    /** Of a page about one object: where the list of them is. */
    readonly list?: string
    readonly hidesMenu?: boolean
    /** It needs the room of the menu, unless the user wants that open. */
    readonly isWide?: boolean
  }
  interface Register {
    router: ReturnType<typeof createAppRouter>
  }
}

/** Several pages, one file each; named once, as each import carries the list of what it needs. */
const warehousePages = () => import('./pages/warehouse-routes.tsx')
const catalogPages = () => import('./pages/catalog-routes.tsx')
const activityPages = () => import('./pages/activity-routes.tsx')
const accessPages = () => import('./pages/access-routes.tsx')
const integrationPage = () => import('./pages/integration-route.tsx')
const integrationGuidePage = () => import('./pages/integration-guide-route.tsx')

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

const activeMail = createRoute({
  getParentRoute: () => root,
  path: '/active-mail',
  staticData: { title: 'signIn.activationTitle' },
  validateSearch: readActivationSearch,
  component: lazyRouteComponent(() => import('./pages/active-mail-page.tsx'), 'ActiveMailPage'),
})

const marketplaceSignUp = createRoute({
  getParentRoute: () => root,
  path: '/marketplace/signup',
  staticData: { title: 'signIn.marketplaceTitle' },
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(
    () => import('./pages/marketplace-sign-up-page.tsx'),
    'MarketplaceSignUpPage',
  ),
})

const noPermission = createRoute({
  getParentRoute: () => root,
  path: '/401',
  staticData: { title: 'shell.noPermission.title' },
  component: NoPermissionPage,
})

const missing = createRoute({
  getParentRoute: () => root,
  path: '/404',
  staticData: { title: 'shell.notFound.title' },
  component: NotFoundPage,
})

/** Opens a page again, by an address that is not its own. */
const again = createRoute({
  getParentRoute: () => root,
  path: '/redirect/$',
  beforeLoad: ({ location }) => {
    const path = location.href.replace(/^\/redirect\/*/, '/')
    throw redirect({ href: path, replace: true })
  },
})

/** Whatever matches nothing else. */
const unknown = createRoute({
  getParentRoute: () => root,
  path: '/$',
  beforeLoad: () => {
    throw redirect({ to: '/404', replace: true })
  },
})

const placeStart = createRoute({
  getParentRoute: () => place,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: '/$region/$aid/home', params, replace: true })
  },
})

const home = createRoute({
  getParentRoute: () => place,
  path: PAGES.home.path,
  staticData: PAGES.home,
  component: lazyRouteComponent(() => import('./pages/home-route.tsx'), 'HomeRoute'),
})

const editor = createRoute({
  getParentRoute: () => place,
  path: PAGES.editor.path,
  staticData: { ...PAGES.editor, isWide: true },
  validateSearch: readEditorSearch,
  component: lazyRouteComponent(() => import('../features/editor/editor-page.tsx'), 'EditorPage'),
})

const sharedResult = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.editor.path}/result/$queryId`,
  staticData: { ...PAGES.editor, list: PAGES.editor.path, isWide: true },
  component: lazyRouteComponent(() => import('./pages/shared-result-route.tsx'), 'SharedResultRoute'),
})

const warehouses = createRoute({
  getParentRoute: () => place,
  path: PAGES.warehouse.path,
  staticData: PAGES.warehouse,
  validateSearch: readWarehouseSearch,
  component: lazyRouteComponent(warehousePages, 'WarehouseListRoute'),
})

const warehouse = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.warehouse.path}/$warehouseId`,
  staticData: { ...PAGES.warehouse, list: PAGES.warehouse.path },
  component: lazyRouteComponent(warehousePages, 'WarehouseDetailRoute'),
})

const addCluster = createRoute({
  getParentRoute: () => place,
  path: 'add-cluster',
  staticData: { ...PAGES.warehouse, list: PAGES.warehouse.path, hidesMenu: true },
  component: lazyRouteComponent(warehousePages, 'AddWarehouseRoute'),
})

const catalogs = createRoute({
  getParentRoute: () => place,
  path: PAGES.catalog.path,
  staticData: PAGES.catalog,
  validateSearch: readAccessSearch,
  component: lazyRouteComponent(catalogPages, 'CatalogListRoute'),
})

const catalog = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.catalog.path}/$catalog/{-$database}`,
  staticData: { ...PAGES.catalog, list: PAGES.catalog.path },
  validateSearch: readAccessSearch,
  component: lazyRouteComponent(catalogPages, 'CatalogRoute'),
})

const catalogObject = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.catalog.path}/$catalog/$database/$object`,
  staticData: { ...PAGES.catalog, list: PAGES.catalog.path },
  validateSearch: readAccessSearch,
  component: lazyRouteComponent(catalogPages, 'CatalogObjectRoute'),
})

const loadData = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.catalog.path}/$catalog/$database/load`,
  staticData: { ...PAGES.catalog, list: PAGES.catalog.path },
  validateSearch: readLoadSearch,
  component: lazyRouteComponent(() => import('./pages/load-route.tsx'), 'LoadRoute'),
})

const pipe = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.catalog.path}/$catalog/$database/pipe/$pipe`,
  staticData: { ...PAGES.catalog, list: PAGES.catalog.path },
  component: lazyRouteComponent(() => import('./pages/pipe-route.tsx'), 'PipeRoute'),
})

const integration = createRoute({
  getParentRoute: () => place,
  path: PAGES.integration.path,
  staticData: PAGES.integration,
  validateSearch: readIntegrationSearch,
  component: lazyRouteComponent(integrationPage, 'IntegrationRoute'),
})

const integrationGuide = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.integration.path}/$name`,
  staticData: { ...PAGES.integration, list: PAGES.integration.path },
  component: lazyRouteComponent(integrationGuidePage, 'IntegrationGuideRoute'),
})

const billing = createRoute({
  getParentRoute: () => place,
  path: PAGES.billing.path,
  staticData: PAGES.billing,
  validateSearch: readUsageSearch,
  component: lazyRouteComponent(() => import('./pages/usage-route.tsx'), 'UsageRoute'),
})

const guide = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.guide.path}/{-$page}`,
  staticData: { ...PAGES.guide, list: PAGES.guide.path },
  component: lazyRouteComponent(() => import('./pages/guide-route.tsx'), 'GuideRoute'),
})

const activity = createRoute({
  getParentRoute: () => place,
  path: PAGES.activity.path,
  staticData: PAGES.activity,
  validateSearch: readActivitySearch,
  component: lazyRouteComponent(activityPages, 'ActivityRoute'),
})

const activityQuery = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.activity.path}/query_{$queryId}`,
  staticData: { ...PAGES.activity, list: PAGES.activity.path },
  component: lazyRouteComponent(activityPages, 'StatementRoute'),
})

const schedules = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.activity.path}/schedules`,
  staticData: { ...PAGES.activity, list: PAGES.activity.path },
  component: lazyRouteComponent(() => import('./pages/schedules-route.tsx'), 'SchedulesRoute'),
})

const access = createRoute({
  getParentRoute: () => place,
  path: PAGES.access.path,
  staticData: PAGES.access,
  validateSearch: readAccessSearch,
  component: lazyRouteComponent(accessPages, 'AccessRoute'),
})

const accessDetail = { ...PAGES.access, list: PAGES.access.path }

const accessUser = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.access.path}/user/$user`,
  staticData: accessDetail,
  validateSearch: readAccessSearch,
  component: lazyRouteComponent(accessPages, 'AccessUserRoute'),
})

const accessRole = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.access.path}/role/$role`,
  staticData: accessDetail,
  validateSearch: readAccessSearch,
  component: lazyRouteComponent(accessPages, 'AccessRoleRoute'),
})

const account = createRoute({
  getParentRoute: () => place,
  path: PAGES.account.path,
  staticData: PAGES.account,
  validateSearch: readAccountSearch,
  component: lazyRouteComponent(() => import('./pages/account-route.tsx'), 'AccountRoute'),
})

const security = createRoute({
  getParentRoute: () => place,
  path: PAGES.security.path,
  staticData: PAGES.security,
  validateSearch: readSecuritySearch,
  component: lazyRouteComponent(() => import('./pages/security-route.tsx'), 'SecurityRoute'),
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
  resetPassword,
  setupPassword,
  freeTrial,
  freeTrialReceived,
  freeTrialExpired,
  activeMail,
  marketplaceSignUp,
  ssoRedirect,
  ssoConfirm,
  confirmEmail,
  noPermission,
  missing,
  again,
  place.addChildren([
    placeStart,
    home,
    editor,
    sharedResult,
    dashboards,
    dashboard,
    catalogs,
    catalog,
    catalogObject,
    loadData,
    pipe,
    activity,
    activityQuery,
    schedules,
    warehouses,
    warehouse,
    addCluster,
    integration,
    integrationGuide,
    billing,
    guide,
    access,
    accessUser,
    accessRole,
    account,
    security,
    placeUnknown,
  ]),
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
    // The page of another object is a new page: no list, search or dialog of the one before is under its name.
    defaultRemountDeps: ({ params }) => params,
    defaultPreload: 'intent',
    defaultPendingMs: 200,
    defaultPendingComponent: PendingPage,
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
  })
