import { type BoundPlan, readPlan } from './bound-plan.ts'
import type { DefinedView } from './definitions.ts'
import type { Place } from './names.ts'
import type { Bound } from './serialized.ts'
import { type JsonNode, nodesOf } from './json-tree.ts'
import { type MindedSetting, mindedIn } from './minded-settings.ts'

/**
 * What a view means: its definition, bound where nothing is temporary, all settings are DuckDB's own and the names in it
 * are looked for from its own place.
 */
export interface CleanView {
  /** Of reading all of it. */
  readonly plan: JsonNode
  /** What stands for the view in the plan of any statement that reads it. */
  readonly root: JsonNode
  readonly scans: BoundPlan['scans']
  /** Settings of a session that change what it shows, and are not seen in its plan. */
  readonly minds: ReadonlySet<MindedSetting>
}

export interface CleanPlans {
  /**
   * Null when it cannot be bound so, as when the open transaction has made it. A view may ask for the variables of the
   * session, such as its user: `withVariables` binds it with those of this one.
   */
  of(view: DefinedView, how?: 'withVariables'): Promise<CleanView | null>
  /** The same of a query that is to become a view in this place. */
  bound(query: string, place: Place, how?: 'withVariables'): Promise<Bound>
}

/** Null for what no view is. */
export function cleanView(plan: JsonNode): CleanView | null {
  const [root, ...others] = nodesOf(plan, 'children')
  if (!root || others.length > 0 || plan['type'] !== 'LOGICAL_PROJECTION') return null
  return { plan, root, scans: readPlan(plan).scans, minds: mindedIn(root) }
}
