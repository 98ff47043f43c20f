import { type Catalog, DEFAULT_CATALOG } from '@boathouse/contract'
import { AppError } from '../../kernel/app-error.ts'

/** CATALOG-03 */
export const CATALOGS: readonly Catalog[] = [{ name: DEFAULT_CATALOG, type: 'Internal' }]

/** Its true name, whatever the letter case in which it is asked for. */
export function findCatalog(name: string): string {
  const found = CATALOGS.find((catalog) => catalog.name.toLowerCase() === name.toLowerCase())
  if (!found) throw new AppError('NotFound', `There is no catalog ${name}, or it was dropped.`)
  return found.name
}
