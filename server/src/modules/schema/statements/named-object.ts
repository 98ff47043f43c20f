import { LIMITS, namesOf, type TableLike } from '@boathouse/contract'
import type { DescribedColumn, DescriptionReader } from '../../../engines/engine/descriptions.ts'
import { AppError } from '../../../kernel/app-error.ts'
import { placeNamed } from '../../query/sessions/named-place.ts'
import { inCatalogs, type LookIn, type SessionTools } from '../../query/sessions/session-tools.ts'
import { noDescriptions } from '../objects/looking.ts'
import { findObject, type FoundObject, type Seeking } from '../objects/place-of.ts'

export const inDescriptions =
  <T>(look: (descriptions: DescriptionReader) => Promise<T>): LookIn<T> =>
  async ({ descriptions }, asking) => {
    if (!descriptions) throw noDescriptions()
    return look(descriptions.in(asking))
  }

/** Of a table, a view and a materialized view the first that is there. */
export const ANY = ['table', 'view', 'materialized_view'] as const

/** What a name means in the place of the connection, to somebody who may see it. */
export async function objectNamed(
  tools: SessionTools,
  parts: readonly string[],
  kinds: readonly TableLike[] = ANY,
): Promise<FoundObject> {
  const { actor, lookInEngine, visible, may, materialized } = tools
  const { catalog, database: databaseName } = await placeNamed(parts.slice(0, -1), tools)
  const authority: Seeking['authority'] = {
    visible: (_, listed) => visible(listed),
    may: (_, privilege, object) => may({ privilege, object }),
  }
  let missing: unknown
  for (const kind of kinds)
    try {
      const wanted = { catalog, databaseName, ...namesOf(kind, parts.at(-1) ?? '') }
      const seeking = { actor, authority, materialized, wanted, catalogNamed: () => catalog }
      return await lookInEngine(inCatalogs((lists) => findObject(lists, seeking)))
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'NotFound')) throw error
      missing ??= error
    }
  const message = missing instanceof AppError ? missing.message : 'There is no such table.'
  throw new AppError('QueryFailed', message, { detail: 'missing-table' })
}

export async function columnsIn(
  { lookInEngine }: Pick<SessionTools, 'lookInEngine'>,
  { place }: FoundObject,
): Promise<readonly DescribedColumn[]> {
  const page = { offset: 0, limit: LIMITS.columnsPerTable }
  const { columns } = await lookInEngine(inDescriptions((all) => all.columns(place, page)))
  return columns
}
