import type { ObjectName } from '../../engines/engine/objects.ts'
import { type BoundName, boundOf, boundText, newlyUsed } from '../query/gate/bound-definitions.ts'
import { type Refresh, viewKey } from '../query/gate/authorize-statement.ts'
import { type CachedViews, sourceKey } from './view-cache.ts'
import { pathOf, type TaskParts } from './task-parts.ts'
import type { SourceName, ViewRow } from './view-store.ts'

/** What it reads, in the form that is stored, without duplicates. */
function sourceNames(sources: readonly ObjectName[]): SourceName[] {
  const byKey = new Map<string, SourceName>()
  for (const { type, catalog, database, name } of sources)
    if ((type === 'table' || type === 'view') && database !== null && name !== null)
      byKey.set(viewKey({ catalog, database, name }), [catalog, database, name])
  return [...byKey.values()]
}

/** A view runs as its owner, so another user who changes a macro in it would read with the privileges of the owner. */
const unconfirmed = (view: ViewRow, other: BoundName): string =>
  `The materialized view ${pathOf(view)} is not refreshed: ${boundText(other)}, which it uses, has changed since the view was created or last confirmed. Check it; then its owner or a database administrator confirms the view with ALTER MATERIALIZED VIEW ${pathOf(view)} RESUME.`

/** The views through which it would read itself, the nearest first; null when it does not. */
function pathToItself(own: string, sources: readonly SourceName[], { byKey }: CachedViews): string[] | null {
  const paths: { key: string; path: string[] }[] = sources.map((one) => ({ key: sourceKey(one), path: [] }))
  const seen = new Set<string>()
  for (const { key, path } of paths) {
    if (key === own) return path
    const view = byKey.get(key)
    if (!view || seen.has(key)) continue
    seen.add(key)
    for (const one of view.sources) paths.push({ key: sourceKey(one), path: [...path, pathOf(view)] })
  }
  return null
}

/** Decides whether a refresh may read what its query names, and keeps what that was. */
export function createRefreshReads({ views, known }: Pick<TaskParts, 'views' | 'known'>) {
  return function readsOf(view: ViewRow): Refresh & {
    readonly sources: () => readonly SourceName[] | undefined
    readonly bound: () => readonly BoundName[] | undefined
  } {
    let sources: readonly SourceName[] | undefined
    let bound: readonly BoundName[] | undefined
    return {
      view,
      sources: () => sources,
      bound: () => bound,
      async reads(objects, uses) {
        sources = sourceNames(objects)
        bound = boundOf(uses)
        const now = await views.byId(view.view_id)
        if (!now || now.state === 'dropping') return `The materialized view ${pathOf(view)} was dropped.`
        const other = now.bound && newlyUsed(now.bound, bound)
        if (other) return unconfirmed(view, other)
        const path = pathToItself(viewKey(view), sources, await known.of(view.account_id))
        if (path === null) return null
        const through = path.length > 0 ? ` through ${path.join(', ')}` : ''
        return `The materialized view ${pathOf(view)} would read itself${through}. Change its query.`
      },
    }
  }
}
