import type { IcebergField, IcebergType } from '../../kernel/iceberg.ts'
import type { IcebergSchema } from './table-metadata.ts'

/** The parts of a column by what they are called in it, with their ids. */
function partsOf(type: IcebergType, path = ''): [path: string, id: number][] {
  if (typeof type === 'string') return []
  if (type.type === 'list') return partsOf(type.element, `${path}.element`)
  if (type.type === 'map')
    return [...partsOf(type.key, `${path}.key`), ...partsOf(type.value, `${path}.value`)]
  return type.fields.flatMap(({ id, name, type: part }): [string, number][] => {
    const below = `${path}.${JSON.stringify(name.toLowerCase())}`
    return [[below, id], ...partsOf(part, below)]
  })
}

/** Whether a part has the name that another one has, or had another name. */
function isMistakable(now: IcebergField, before: IcebergField): boolean {
  const ids = new Map(partsOf(now.type))
  const paths = new Map([...ids].map(([path, id]) => [id, path]))
  return partsOf(before.type).some(
    ([path, id]) => (ids.get(path) ?? id) !== id || (paths.get(id) ?? path) !== path,
  )
}

/**
 * Columns are found by their ids, but parts of a column by their names. Why that would read a wrong part, as a sentence
 * without its end; null when it does not.
 */
export function nestedFault(current: IcebergSchema, all: readonly IcebergSchema[]): string | null {
  const nested = current.fields.filter(({ type }) => partsOf(type).length > 0)
  const [first] = nested
  if (!first) return null
  for (const column of nested)
    for (const { fields } of all) {
      const before = fields.find(({ id }) => id === column.id)
      if (before && isMistakable(column, before))
        return `parts of its column ${column.name} were renamed or have the name of one that was dropped, and parts are found by their names here`
    }
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
