import { lineage } from '@boathouse/contract/lineage'
import type { Call } from '@boathouse/contract/call'
import { schema } from '@boathouse/contract/schema'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf, useAction } from '../../lib/api.ts'
import { useRealtime } from '../../lib/realtime-context.tsx'

const CHANGED = new Set(['GlobalEventTypeDatabaseChanged', 'GlobalEventTypeCatalogChanged'])
const LISTS: readonly Call[] = [
  schema.catalogs,
  schema.databases,
  schema.tables,
  schema.views,
  schema.materializedViews,
  schema.actions,
]
/** What refreshes change of a page that is open. */
const REFRESHED: readonly Call[] = [schema.materializedView, schema.refreshTasks]
const SHOWN: readonly Call[] = [
  ...LISTS,
  schema.describe,
  schema.columns,
  schema.showCreateTable,
  schema.dependencies,
  lineage.facts,
  lineage.graph,
  lineage.statements,
  ...REFRESHED,
]

/** The channel reports objects that were created, changed or dropped, here or elsewhere; the lists follow. */
export function useLiveSchema(): void {
  const realtime = useRealtime()
  const queries = useQueryClient()
  useEffect(
    () =>
      realtime.on('event', ({ type }) => {
        if (!CHANGED.has(type)) return
        for (const call of [...LISTS, ...REFRESHED])
          void queries.invalidateQueries({ queryKey: queryKeyOf(call) })
      }),
    [realtime, queries],
  )
}

/** A change; everything that these pages show of it is loaded again. The dialog shows a refusal. */
export const useChange = <C extends Call>(call: C) => useAction(call, { silent: true, refreshes: SHOWN })

/** The page must not load again what was removed. */
export const useRemoval = <C extends Call>(call: C) => useAction(call, { silent: true, refreshes: LISTS })
