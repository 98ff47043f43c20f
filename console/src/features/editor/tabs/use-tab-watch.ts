import { editor } from '@boathouse/contract/editor'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { queryKeyOf, send } from '../../../lib/api.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { watchTabs } from './tab-watch.ts'

export function useTabWatch(): void {
  const { store, saver, realtime } = useEditorRuntime()
  const queries = useQueryClient()
  useEffect(
    () =>
      watchTabs({
        store,
        saver,
        realtime,
        load: (tabId) => send(editor.tabDetail, { tabId }, { silent: true }),
        refresh: () => void queries.invalidateQueries({ queryKey: queryKeyOf(editor.listTabTree) }),
      }),
    [store, saver, realtime, queries],
  )
}
