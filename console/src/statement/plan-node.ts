import type { ProfileNode } from '@boathouse/contract/plan'

/** An operator of a plan and what it reads from. */
export interface PlanNode extends Omit<Readonly<ProfileNode>, 'children'> {
  readonly children: readonly PlanNode[]
}
