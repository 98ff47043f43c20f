/** Two values in one segment, `catalog-{catalog}-type-{catalogType}`. */
export interface CatalogParams {
  readonly catalog: string
  readonly catalogType: string
}

const PREFIX = 'catalog-'
const BETWEEN = '-type-'

export const stringifyCatalog = ({ catalog, catalogType }: CatalogParams): string =>
  `${PREFIX}${catalog}${BETWEEN}${catalogType}`

/** A catalog's name may hold '-type-', its type never does: the last one divides. Null: not such a segment. */
export function parseCatalog(segment: string): CatalogParams | null {
  const divide = segment.lastIndexOf(BETWEEN)
  if (!segment.startsWith(PREFIX) || divide < PREFIX.length) return null
  const catalog = segment.slice(PREFIX.length, divide)
  const catalogType = segment.slice(divide + BETWEEN.length)
  return catalog && catalogType ? { catalog, catalogType } : null
}
