import { Unresolved } from './bound-plan.ts'
import type { DefinedMacro, DefinedView } from './definitions.ts'
import { namedIn } from './name-index.ts'
import { type FullName, type Place, type WrittenName, canMean, means } from './names.ts'
import type { Names } from './parse-tree.ts'

export interface Body {
  readonly view: DefinedView
  /** All that is named in it, and in the macros that it calls. */
  readonly names: Names
  /** The tables below it. */
  readonly scans: readonly FullName[]
}

interface Known {
  readonly macros: readonly DefinedMacro[]
  readonly views: readonly DefinedView[]
  /** Where the session stands. */
  readonly places: readonly Place[]
}

const isTemporary = ({ catalog }: Place): boolean => catalog === 'temp'

/**
 * A view reads with the privileges of its owner. DuckDB looks for the names in it among temporary objects first, and
 * for functions that are neither in the view's database nor in main also in the session's database. A user with an
 * object of such a name could make the view show data that its owner keeps from them.
 */
export function refuseCaptured({ view, names, scans }: Body, { macros, views, places }: Known): void {
  const refuse = (name: string): never => {
    throw new Unresolved(
      `the view ${view.name} uses ${name}, in place of which something of that name of yours would be taken: give that another name`,
    )
  }
  const temporary = scans.find(isTemporary)
  if (temporary) refuse(temporary.name)
  const viewsNamed = namedIn(views)
  for (const name of [...names.tables, ...names.described])
    if (viewsNamed(name).some((one) => isTemporary(one) && canMean(name, one))) refuse(name.name)
  const macrosNamed = namedIn(macros)
  for (const name of names.functions) {
    const named = macrosNamed(name)
    const isOfView = named.some((one) => means(name, one, [view]))
    const takes = (one: FullName): boolean =>
      isTemporary(one) ? canMean(name, one) : !isOfView && isFoundFrom(places, name, one)
    if (named.some(takes)) refuse(name.name)
  }
}

/** Not by its full name, which means the same wherever one stands. */
const isFoundFrom = (places: readonly Place[], name: WrittenName, macro: FullName): boolean =>
  name.schema === undefined && means(name, macro, places)
