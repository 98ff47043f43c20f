import { foldedKey } from '@boathouse/contract'
import type { ListedName } from '../../../engines/engine/objects.ts'
import type { SeenName } from './seen-names.ts'

type Views = ReadonlySet<string>

/** Whether a materialized view is among these: by its name, or with all of its database, catalog or account. */
function isAmong(seen: ReadonlySet<string>, [catalog, database, name]: readonly string[]): boolean {
  const names = [
    [catalog, database, name],
    [catalog, database, ''],
    [catalog, '', ''],
    ['', '', ''],
  ]
  return names.some((name) => seen.has(JSON.stringify(name)))
}

const isOther = (
  name: SeenName,
): name is SeenName & { readonly type: Exclude<SeenName['type'], 'materialized_view'> } =>
  name.type !== 'materialized_view'

function namesFor(listed: readonly SeenName[], views: Views): readonly ListedName[] {
  const seen = new Set(
    listed
      .filter((one) => !isOther(one))
      .map(({ catalog, database, name }) => foldedKey([catalog, database, name])),
  )
  const ofViews = [...views].map((key): ListedName => {
    const parts = JSON.parse(key) as string[]
    const [catalog = '', database = '', name = ''] = parts
    return { type: isAmong(seen, parts) ? 'table' : 'hidden', catalog, database, name }
  })
  return [...listed.filter(isOther), ...ofViews]
}

/** Lists are asked for again and again, and change seldom. */
const known = new WeakMap<readonly SeenName[], WeakMap<Views, readonly ListedName[]>>()

/**
 * The names that an engine may show. It takes materialized views for tables, but a privilege on all tables does not
 * include them.
 */
export function shownNames(listed: readonly SeenName[], views: Views): readonly ListedName[] {
  const ofList = known.get(listed) ?? new WeakMap<Views, readonly ListedName[]>()
  known.set(listed, ofList)
  const before = ofList.get(views)
  if (before) return before
  const names = namesFor(listed, views)
  ofList.set(views, names)
  return names
}
