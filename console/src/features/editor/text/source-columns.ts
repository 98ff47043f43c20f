import { isSameName } from '@boathouse/contract/same-name'
import type { Scope } from './completion-context.ts'
import { type NameCache, type NamedThing, placeOf } from './name-cache.ts'
import { blocksOf, type Cte, type Returned, returnedOf, type Source } from './query-blocks.ts'
import type { Group } from './token-groups.ts'

/** Queries in queries are followed so far. */
const DEEPEST = 8

const named = (name: string): NamedThing => ({ name, detail: '' })

/** The columns that something to read from has, as far as they can be known without running it. */
export function createSourceColumns(names: NameCache) {
  /** Names of WITH that are known there, the nearest first. */
  async function ofSource(source: Source, ctes: readonly Cte[], depth = 0): Promise<readonly NamedThing[]> {
    const columns = await unrenamed(source, ctes, depth)
    return source.columns.length === 0
      ? columns
      : [...source.columns.map(named), ...columns.slice(source.columns.length)]
  }

  function unrenamed(source: Source, ctes: readonly Cte[], depth: number): Promise<readonly NamedThing[]> {
    if (source.kind === 'query') return ofQuery(source.query, ctes, depth)
    const { path } = source
    const table = path.at(-1)
    if (table === undefined) return Promise.resolve([])
    const cte = path.length === 1 ? ctes.find(({ name }) => isSameName(name, table)) : undefined
    if (!cte) {
      const { catalog, database } = placeOf(names, path.slice(0, -1))
      return names.columns(catalog, database, table)
    }
    if (cte.columns.length > 0) return Promise.resolve(cte.columns.map(named))
    return ofQuery(
      cte.query,
      ctes.filter((other) => other !== cte),
      depth,
    )
  }

  async function ofQuery(query: Group, outer: readonly Cte[], depth: number): Promise<readonly NamedThing[]> {
    const [block] = blocksOf(query)
    if (!block || depth > DEEPEST) return []
    const ctes = [...block.ctes, ...outer]
    const [first] = block.parts
    if (first?.kind === 'group') return ofQuery(first, ctes, depth + 1)
    const known = await Promise.all(
      block.sources.map(async (source) => ({
        alias: source.alias,
        columns: await ofSource(source, ctes, depth + 1),
      })),
    )
    const columnsOf = (of: string | null) =>
      known.filter(({ alias }) => of === null || isSameName(alias, of)).flatMap(({ columns }) => columns)
    return returnedOf(block).flatMap((returned: Returned) => {
      if (returned.kind === 'all') return columnsOf(returned.of)
      const { name, of } = returned
      return [columnsOf(of).find((column) => isSameName(column.name, name)) ?? named(name)]
    })
  }

  return {
    ofSource,

    /** Of everything that the cursor can see, the innermost level first. */
    async inScopes(scopes: readonly Scope[]) {
      const levels = scopes.map(({ sources }, level) => ({
        sources,
        ctes: scopes.slice(level).flatMap((scope) => scope.ctes),
      }))
      return Promise.all(
        levels.flatMap(({ sources, ctes }) =>
          sources.map(async (source) => ({ alias: source.alias, columns: await ofSource(source, ctes) })),
        ),
      )
    },
  }
}
