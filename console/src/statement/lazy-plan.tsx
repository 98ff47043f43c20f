import { lazy, Suspense } from 'react'
import { Skeleton } from '../ui/index.ts'
import type { PlanViewProps } from './plan-view.tsx'

const PlanView = lazy(async () => ({ default: (await import('./plan-view.tsx')).PlanView }))

/** A plan as a tree or as text; its code comes when there is a plan to show. */
export const LazyPlan = (props: PlanViewProps) => (
  <Suspense fallback={<Skeleton height={120} />}>
    <PlanView {...props} />
  </Suspense>
)
