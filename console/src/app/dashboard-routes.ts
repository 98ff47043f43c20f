import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { PAGES } from './menu.ts'
import { place } from './place-route.ts'
import { readDashboardSearch } from './search.ts'

const pages = () => import('./pages/dashboard-routes.tsx')

export const dashboards = createRoute({
  getParentRoute: () => place,
  path: PAGES.dashboards.path,
  staticData: PAGES.dashboards,
  validateSearch: readDashboardSearch,
  component: lazyRouteComponent(pages, 'DashboardsRoute'),
})

export const dashboard = createRoute({
  getParentRoute: () => place,
  path: `${PAGES.dashboards.path}/$dashboardId`,
  staticData: { ...PAGES.dashboards, list: PAGES.dashboards.path },
  validateSearch: readDashboardSearch,
  component: lazyRouteComponent(pages, 'DashboardRoute'),
})
