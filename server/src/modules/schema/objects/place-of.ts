import { type AccessObject, namedObject, objectOf, type TableLike, foldedName } from '@boathouse/contract'
import type { ObjectPlace } from '../../../engines/engine/names.ts'
import type { Actor } from '../../../kernel/actor.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { isFirst } from '../../../kernel/first-catalog.ts'
import type { Authority } from '../../access/authority.ts'
import { viewKey } from '../../query/gate/authorize-statement.ts'
import type { CatalogReader } from '../../../engines/engine/catalogs.ts'

/** A table, view or materialized view as somebody names it. */
export interface WantedObject {
  readonly catalog: string
  readonly databaseName: string
  readonly tableName?: string | undefined
  readonly name?: string | undefined
  readonly mvName?: string | undefined
}

/** It is there, and the actor may see it. */
export interface FoundObject {
  readonly kind: TableLike
  readonly place: ObjectPlace
  /** In the words of grants. */
  readonly access: AccessObject
}

const WORDS: Readonly<Record<TableLike, string>> = {
  table: 'table',
  view: 'view',
  materialized_view: 'materialized view',
}

export interface Seeking {
  readonly actor: Actor
  readonly authority: Pick<Authority, 'visible' | 'may'>
  /** The materialized views of the account, by `viewKey`: engines take them for tables. */
  readonly materialized: (accountId: string) => Promise<ReadonlySet<string>>
  readonly wanted: WantedObject
  /** The true name of a catalog; throws where there is none. */
  catalogNamed(name: string): string
}

/** To an actor who may not see it, it is not there. */
export async function findObject(
  lists: CatalogReader,
  { actor, authority, materialized, wanted, catalogNamed }: Seeking,
): Promise<FoundObject> {
  const { type: kind, name: asked } = namedObject(wanted)
  const type = kind === 'view' ? 'view' : 'table'
  const { visible, may } = authority
  const catalog = catalogNamed(wanted.catalog)
  const missing = new AppError(
    'NotFound',
    `There is no ${WORDS[kind]} ${asked} in ${wanted.catalog}.${wanted.databaseName} that you may see, or it was dropped.`,
  )
  if (!isFirst(catalog) && !(await may(actor, 'USAGE', objectOf('catalog', { catalog })))) throw missing
  const seen = await visible(actor, { type: kind, catalog, database: wanted.databaseName })
  if (seen !== 'all' && !seen.has(foldedName(asked))) throw missing
  const database = await lists.databaseNamed({ catalog, database: wanted.databaseName })
  if (database === null) throw missing
  const name = await lists.objectNamed({ catalog, database }, { type, name: asked })
  if (name === null) throw missing
  const place = { type, catalog, database, name } as const
  const isMaterialized = type === 'table' && (await materialized(actor.accountId)).has(viewKey(place))
  if (isMaterialized !== (kind === 'materialized_view')) throw missing
  return { kind, place, access: objectOf(kind, { catalog, database, name }) }
}
