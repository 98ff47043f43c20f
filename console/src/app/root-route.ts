import { createRootRoute } from '@tanstack/react-router'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { RootPage } from './root-page.tsx'

/** The frame of every page. */
export const root = createRootRoute({ component: RootPage, notFoundComponent: NotFoundPage })
