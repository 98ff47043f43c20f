import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from './root-route.ts'
import { readLinkSearch } from './search.ts'

/** Pages that mailed links lead to; nobody is signed in there. */

export const resetPassword = createRoute({
  getParentRoute: () => root,
  path: '/reset-password',
  staticData: { title: 'signIn.resetTitle' },
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import('./pages/reset-password-page.tsx'), 'ResetPasswordPage'),
})

export const setupPassword = createRoute({
  getParentRoute: () => root,
  path: '/setup-password',
  staticData: { title: 'signIn.setUpTitle' },
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import('./pages/setup-password-page.tsx'), 'SetupPasswordPage'),
})

export const confirmEmail = createRoute({
  getParentRoute: () => root,
  path: '/confirm-email',
  staticData: { title: 'signIn.activationTitle' },
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import('./pages/confirm-email-page.tsx'), 'ConfirmEmailPage'),
})
