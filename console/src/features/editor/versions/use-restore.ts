import { editor } from '@boathouse/contract/editor'
import { useState } from 'react'
import { t } from '../../../i18n/texts.ts'
import { send } from '../../../lib/api.ts'
import { notify } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { untilSaved } from '../tabs/until-saved.ts'

/** What is on the screen is saved first: it stays a version, and undo brings it back. */
export function useRestore(tabId: string) {
  const { store, saver } = useEditorRuntime()
  const [isPending, setPending] = useState(false)

  /** True when the tab has the text of the version. */
  async function restore(versionId: string): Promise<boolean> {
    setPending(true)
    try {
      const tab = await untilSaved({ store, saver }, tabId)
      if (!tab) {
        notify({ tone: 'err', message: t('versions.unsaved') })
        return false
      }
      saver.takeRestored(
        tabId,
        await send(editor.restoreVersion, { tabId, versionId, revision: tab.revision }),
      )
      return true
    } catch {
      // The call itself shows the user what went wrong.
      return false
    } finally {
      setPending(false)
    }
  }

  return { restore, isPending }
}
