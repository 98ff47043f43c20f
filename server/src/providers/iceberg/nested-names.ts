import { foldedName } from '@boathouse/contract'
import type { IcebergField, IcebergType } from '../../kernel/iceberg.ts'
import type { IcebergSchema } from './table-metadata.ts'

interface Part {
  /** The number of what it is called in its column. */
  readonly path: number
  readonly id: number
}

/**
 * Identifies the parts of a column by their names in it. A path has a number, the same in all schemas: written out,
 * each part of a deep column would be as long as all names above it.
 */
function pathsOfColumn(): (type: IcebergType) => Part[] {
  const numbers = new Map<string, number>()
  const below = (parent: number, step: string): number => {
    const key = `${parent}.${step}`
    const known = numbers.get(key) ?? numbers.size + 1
    numbers.set(key, known)
    return known
  }
  function collect(type: IcebergType, at: number, found: Part[]): Part[] {
    if (typeof type === 'string') return found
    if (type.type === 'list') return collect(type.element, below(at, 'element'), found)
    if (type.type === 'map') {
      collect(type.key, below(at, 'key'), found)
      return collect(type.value, below(at, 'value'), found)
    }
    for (const { id, name, type: part } of type.fields) {
      const path = below(at, JSON.stringify(foldedName(name)))
      found.push({ path, id })
      collect(part, path, found)
    }
    return found
  }
  return (type) => collect(type, 0, [])
}

/** Whether a part has the name that another one has, or had another name. */
function isMistakable(now: IcebergField, before: readonly IcebergField[]): boolean {
  const partsOf = pathsOfColumn()
  const parts = partsOf(now.type)
  const ids = new Map(parts.map(({ path, id }) => [path, id]))
  const paths = new Map(parts.map(({ path, id }) => [id, path]))
  return before.some((field) =>
    partsOf(field.type).some(
      ({ path, id }) => (ids.get(path) ?? id) !== id || (paths.get(id) ?? path) !== path,
    ),
  )
}

/** What columns with parts were in all schemas, by their ids. */
function columnsById(all: readonly IcebergSchema[]): ReadonlyMap<number, readonly IcebergField[]> {
  const columns = new Map<number, IcebergField[]>()
  for (const { fields } of all)
    for (const field of fields) {
      if (typeof field.type === 'string') continue
      const same = columns.get(field.id)
      if (same) same.push(field)
      else columns.set(field.id, [field])
    }
  return columns
}

/**
 * Columns are found by their ids, but parts of a column by their names. Why that would read a wrong part, as a sentence
 * without its end; null when it does not. No two columns of the current schema have the same id.
 */
export function nestedFault(current: IcebergSchema, all: readonly IcebergSchema[]): string | null {
  const nested = current.fields.filter(({ type }) => pathsOfColumn()(type).length > 0)
  const [first] = nested
  if (!first) return null
  const before = columnsById(all)
  for (const column of nested)
    if (isMistakable(column, before.get(column.id) ?? []))
      return `parts of its column ${column.name} were renamed or have the name of one that was dropped, and parts are found by their names here`
  const known = new Set(all.map((schema) => schema['schema-id']))
  const last = current['schema-id']
  const isWhole =
    last !== undefined &&
    last <= known.size &&
    Array.from({ length: last }, (_, id) => id).every((id) => known.has(id))
  return isWhole
    ? null
    : `its metadata does not tell what the parts of its column ${first.name} were called before`
}
