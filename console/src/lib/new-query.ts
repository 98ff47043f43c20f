import { editor, type EditorTab } from '@boathouse/contract/editor'
import type { Sent } from '@boathouse/contract/call'
import { useAction } from './api.ts'
import { awaitTyped, forgetTyped, typedIsFor } from './typed-ahead.ts'

interface Then {
  readonly onSuccess: (tab: EditorTab) => void
}

/** A new saved query, whose text has the keyboard as soon as it is shown. */
export function useNewQuery() {
  const create = useAction(editor.createTab, { refreshes: [editor.listTabTree] })
  return {
    isPending: create.isPending,
    mutate: (input: Sent<typeof editor.createTab>, { onSuccess }: Then): void => {
      awaitTyped()
      const show = (tab: EditorTab) => {
        typedIsFor(tab.tabId)
        onSuccess(tab)
      }
      // Also if its trigger is gone by then, as a menu is. The call itself shows why it failed.
      void create.mutateAsync(input).then(show, forgetTyped)
    },
  }
}
