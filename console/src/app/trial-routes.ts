import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import { root } from './root-route.ts'
import { readReceivedSearch } from './search.ts'

export const freeTrial = createRoute({
  getParentRoute: () => root,
  path: '/free-trial',
  staticData: { title: 'signIn.trialTitle' },
  component: lazyRouteComponent(() => import('./pages/free-trial-page.tsx'), 'FreeTrialPage'),
})

export const freeTrialReceived = createRoute({
  getParentRoute: () => root,
  path: '/free-trial-received',
  staticData: { title: 'signIn.trialTitle' },
  validateSearch: readReceivedSearch,
  component: lazyRouteComponent(
    () => import('./pages/free-trial-received-page.tsx'),
    'FreeTrialReceivedPage',
  ),
})

export const freeTrialExpired = createRoute({
  getParentRoute: () => root,
  path: '/free-trial-expired',
  staticData: { title: 'signIn.trialTitle' },
  component: lazyRouteComponent(() => import('./pages/free-trial-expired-page.tsx'), 'FreeTrialExpiredPage'),
})
