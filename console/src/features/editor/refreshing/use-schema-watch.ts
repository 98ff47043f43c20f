import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useEditorRuntime } from '../editor-runtime.ts'
import { refreshSchema } from './refresh-schema.ts'
import { watchSchema } from './schema-watch.ts'

/** While the editor is on the screen, its tree of catalogs follows what statements and other people change. */
export function useSchemaWatch(): void {
  const { store, realtime, clock, savePlace } = useEditorRuntime()
  const queries = useQueryClient()
  useEffect(
    () =>
      watchSchema({
        store,
        realtime,
        clock,
        refresh: (stale) => refreshSchema(queries, stale),
        placeChanged: savePlace,
      }),
    [store, realtime, clock, queries, savePlace],
  )
}
