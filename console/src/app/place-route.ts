import { createRoute, lazyRouteComponent, redirect } from '@tanstack/react-router'
import { session } from '../lib/session.ts'
import { guardPlace } from './guards.ts'
import { isPlace } from './paths.ts'
import { root } from './root-route.ts'

/** All pages of an account, in the shell. */
export const place = createRoute({
  getParentRoute: () => root,
  path: '/$region/$aid',
  beforeLoad: ({ params, location }) => {
    if (!isPlace(params)) throw redirect({ to: '/404', replace: true })
    const instead = guardPlace(session.get(), params, location.href)
    if (instead) throw redirect({ href: instead, replace: true })
  },
  component: lazyRouteComponent(() => import('./shell/shell-layout.tsx'), 'ShellLayout'),
})
