import { editor } from '@boathouse/contract/editor'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf, send } from '../../../lib/api.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { watchTabs } from './tab-watch.ts'

export function useTabWatch(): void {
  const { store, saver, live, realtime } = useEditorRuntime()
  const queries = useQueryClient()
  useEffect(
    () =>
      watchTabs({
        store,
        saver,
        live,
        realtime,
        load: (tabId) => send(editor.tabDetail, { tabId }, { silent: true }),
        refresh: () => {
          void queries.invalidateQueries({ queryKey: queryKeyOf(editor.listTabTree) })
          void queries.invalidateQueries({ queryKey: queryKeyOf(editor.sharedWithMe) })
        },
        gone: (tabId) =>
          void queries.invalidateQueries({ queryKey: queryKeyOf(editor.tabDetail, { tabId }) }),
      }),
    [store, saver, live, realtime, queries],
  )
}
