import { quoteIdentifier } from '@boathouse/sql'
import type { NamedPlace } from '../engine/descriptions.ts'
import type { ObjectPlace } from '../engine/names.ts'

interface Defined {
  readonly columns: readonly { readonly name: string; readonly type: string; readonly nullable: boolean }[]
  /** Of a view. */
  readonly query: string | null
}

export const pathOf = ({ catalog, database, name }: NamedPlace): string =>
  [catalog, database, name].map(quoteIdentifier).join('.')

/** In the words of a cluster, without where it is. */
export function definitionOf(place: ObjectPlace, { columns, query }: Defined): string {
  if (place.type === 'view') return `CREATE VIEW ${pathOf(place)} AS\n${query ?? ''}`
  const lines = columns.map(
    ({ name, type, nullable }) => `  ${quoteIdentifier(name)} ${type}${nullable ? '' : ' NOT NULL'}`,
  )
  return `CREATE TABLE ${pathOf(place)} (\n${lines.join(',\n')}\n)`
}
