import type { EditorStore } from './editor-store.ts'
import type { Tab } from './editor-tab.ts'
import type { TextSaver } from './text-saver.ts'

const isOnItsWay = (tab: Tab | undefined): boolean => tab?.save === 'unsaved' || tab?.save === 'saving'

/** Sends what is not saved; the tab once the server has its text, null when it cannot have it now. */
export async function untilSaved(
  { store, saver }: { store: EditorStore; saver: Pick<TextSaver, 'flush'> },
  tabId: string,
): Promise<Tab | null> {
  void saver.flush()
  await new Promise<void>((resolve) => {
    const settled = () => {
      if (isOnItsWay(store.tab(tabId))) return
      stop()
      resolve()
    }
    const stop = store.api.subscribe(settled)
    settled()
  })
  const tab = store.tab(tabId)
  return tab?.save === 'saved' && !tab.conflict && tab.revision > 0 ? tab : null
}
