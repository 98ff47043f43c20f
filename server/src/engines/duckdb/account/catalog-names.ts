import { foldedName } from '../../../kernel/same-name.ts'
import { likeMatcher } from '@boathouse/sql'
import type { NamePage, NamesFound, TableType } from '../../engine/names.ts'
import type { ObjectChange, ObjectName } from '../../engine/objects.ts'

/** A database, or something in it. */
export interface ReadName {
  readonly database: string
  /** Null: the database itself. */
  readonly name: string | null
  readonly type: TableType | null
}

/** Of names that are kept, those can be picked that match a pattern of LIKE. */
export interface KeptPage extends NamePage {
  readonly like?: string | undefined
}

function filterOf({ seen, search, like, except }: KeptPage): ((name: string) => boolean) | null {
  if (seen === 'all' && search === '' && like === undefined && !except?.size) return null
  const wanted = search.toLowerCase()
  const isLike = likeMatcher(like)
  return (name) => {
    const key = foldedName(name)
    return (
      (seen === 'all' || seen.has(key)) &&
      !except?.has(key) &&
      name.toLowerCase().includes(wanted) &&
      isLike(name)
    )
  }
}

/** Where a name is, or would be, among others in their order. */
function placeAmong(sorted: readonly string[], name: string): number {
  let [from, until] = [0, sorted.length]
  while (from < until) {
    const middle = (from + until) >> 1
    if ((sorted[middle] ?? '') < name) from = middle + 1
    else until = middle
  }
  return from
}

/** Of so many changes between two questions each would move all that comes after it. */
const MOST_MOVED = 100

/** No two that differ in their letter case alone. */
class Names {
  private readonly byKey = new Map<string, string>()
  /** Sorted when it is first asked for, and kept so. */
  private sorted: string[] | null = null
  private moved = 0

  get size(): number {
    return this.byKey.size
  }

  has(name: string): boolean {
    return this.byKey.has(foldedName(name))
  }

  add(name: string): void {
    if (this.byKey.get(foldedName(name)) === name) return
    this.delete(name)
    this.byKey.set(foldedName(name), name)
    this.move(name, 0, name)
  }

  delete(name: string): void {
    const own = this.byKey.get(foldedName(name))
    if (own === undefined) return
    this.byKey.delete(foldedName(name))
    this.move(own, 1)
  }

  private move(at: string, gone: number, ...come: readonly string[]): void {
    if (++this.moved > MOST_MOVED) this.sorted = null
    this.sorted?.splice(placeAmong(this.sorted, at), gone, ...come)
  }

  page(page: KeptPage): { readonly names: readonly string[]; readonly total: number } {
    const { descending, offset, limit } = page
    this.moved = 0
    this.sorted ??= [...this.byKey.values()].toSorted((a, b) => (a < b ? -1 : 1))
    const isFound = filterOf(page)
    const found = isFound ? this.sorted.filter(isFound) : this.sorted
    const total = found.length
    if (!descending) return { names: found.slice(offset, offset + limit), total }
    const until = Math.max(0, total - offset)
    return { names: found.slice(Math.max(0, until - limit), until).toReversed(), total }
  }
}

const OTHER: Readonly<Record<TableType, TableType>> = { table: 'view', view: 'table' }

type DatabaseNames = Readonly<Record<TableType, Names>>

/** All databases, tables and views of a catalog. */
export class CatalogNames {
  private readonly names = new Names()
  private readonly databases = new Map<string, DatabaseNames>()

  constructor(read: Iterable<ReadName>) {
    for (const { database, name, type } of read) {
      const names = this.withDatabase(database)
      if (name !== null && type !== null) names[type].add(name)
    }
  }

  /** Null: there is no such database. */
  tablePage(database: string, type: TableType, page: KeptPage): NamesFound | null {
    const found = this.databases.get(foldedName(database))?.[type].page(page)
    return found ? { total: found.total, list: found.names.map((name) => ({ name })) } : null
  }

  databasePage(page: NamePage): NamesFound {
    const { names, total } = this.names.page(page)
    const list = names.map((name) => {
      const of = this.databases.get(foldedName(name))
      return { name, tables: (of?.table.size ?? 0) + (of?.view.size ?? 0) }
    })
    return { total, list }
  }

  /**
   * What took effect. It may be in here already: each says how something is from now on. False when it does not go with
   * what is here.
   */
  apply(change: ObjectChange): boolean {
    if (change.change === 'created') return this.created(change.object)
    this.dropped(change.object)
    return change.change === 'renamed' ? this.created(change.to) : true
  }

  private withDatabase(name: string): DatabaseNames {
    const known = this.databases.get(foldedName(name))
    if (known) return known
    const names = { table: new Names(), view: new Names() }
    this.names.add(name)
    this.databases.set(foldedName(name), names)
    return names
  }

  private created({ type, database, name }: ObjectName): boolean {
    if (type === 'database') this.withDatabase(database ?? '')
    if (type !== 'table' && type !== 'view') return true
    const of = this.databases.get(foldedName(database ?? ''))
    if (!of || name === null || of[OTHER[type]].has(name)) return false
    of[type].add(name)
    return true
  }

  private dropped({ type, database, name }: ObjectName): void {
    const key = foldedName(database ?? '')
    if (type === 'database') {
      this.names.delete(database ?? '')
      this.databases.delete(key)
    }
    if ((type === 'table' || type === 'view') && name !== null) this.databases.get(key)?.[type].delete(name)
  }
}
