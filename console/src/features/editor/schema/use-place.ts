import { useCallback, useEffect } from 'react'
import { useEditorRuntime } from '../editor-runtime.ts'
import { openedBy } from '../tabs/place.ts'
import type { Place } from '../tabs/place.ts'

/** Makes a database the tab's, and opens it. */
export function useChoosePlace(tabId: string | null): (place: Place) => void {
  const { store, clock, savePlace } = useEditorRuntime()
  return useCallback(
    (place) => {
      if (tabId === null) return
      store.choosePlace(tabId, place, clock.now())
      store.openRows(openedBy(place))
      savePlace(tabId)
    },
    [tabId, store, clock, savePlace],
  )
}

/** The place of a tab is open in the tree when the tab is shown. */
export function useOpenedPlace(tabId: string | null): void {
  const { store } = useEditorRuntime()
  useEffect(() => {
    const tab = tabId === null ? undefined : store.tab(tabId)
    if (tab?.database) store.openRows(openedBy(tab))
  }, [tabId, store])
}
