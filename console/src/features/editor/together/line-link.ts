import { useParams, useRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import type { RefObject } from 'react'
import { useCopy } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useTabAddress } from '../tabs/use-tab-address.ts'
import { startOfLine } from '../text/start-of-line.ts'
import type { SqlEditorHandle } from '../text/use-editor-handle.ts'

/** Copies an address that opens the query with the cursor in the line where it is now. */
export function useLineLink(tabId: string): () => void {
  const { store } = useEditorRuntime()
  const { region = '', aid = '' }: { region?: string; aid?: string } = useParams({ strict: false })
  const router = useRouter()
  const copy = useCopy()
  return () => {
    const { line } = store.api.getState().cursor
    const { href } = router.buildLocation({
      to: '/$region/$aid/editor',
      params: { region, aid },
      search: { activeTab: tabId, tabName: store.tab(tabId)?.tabName ?? '', line: String(line) },
    })
    copy(new URL(href, window.location.href).href)
  }
}

/** Puts the cursor into the line that the address names, once for each address. */
export function useLinkedLine(tabId: string, sqlEditor: RefObject<SqlEditorHandle | null>): void {
  const { store } = useEditorRuntime()
  const { tabId: linkedId, line } = useTabAddress()
  const done = useRef('')
  useEffect(() => {
    const link = `${tabId} ${line}`
    if (line === null || linkedId !== tabId || done.current === link) return
    done.current = link
    sqlEditor.current?.goTo(startOfLine(store.tab(tabId)?.sql ?? '', line))
  }, [tabId, linkedId, line, store, sqlEditor])
}
