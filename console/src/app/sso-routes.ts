import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from './root-route.ts'
import { readLinkSearch } from './search.ts'

export const ssoRedirect = createRoute({
  getParentRoute: () => root,
  path: '/sso-redirect',
  staticData: { title: 'signIn.ssoTitle' },
  component: lazyRouteComponent(() => import('./pages/sso-redirect-page.tsx'), 'SsoRedirectPage'),
})

export const ssoConfirm = createRoute({
  getParentRoute: () => root,
  path: '/sso-confirm',
  staticData: { title: 'signIn.ssoTitle' },
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import('./pages/sso-confirm-page.tsx'), 'SsoConfirmPage'),
})
