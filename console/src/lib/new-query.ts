import { editor, type EditorTab } from '@boathouse/contract/editor'
import type { Sent } from '@boathouse/contract/call'
import { useRef } from 'react'
import { useAction } from './api.ts'
import { awaitTyped, forgetTyped, typedIsFor } from './typed-ahead.ts'

interface Then {
  readonly onSuccess: (tab: EditorTab) => void
}

/** A new saved query, whose text has the keyboard as soon as it is shown. */
export function useNewQuery() {
  const create = useAction(editor.createTab, { refreshes: [editor.listTabTree] })
  const isUnderWay = useRef(false)
  return {
    isPending: create.isPending,
    mutate: (input: Sent<typeof editor.createTab>, { onSuccess }: Then): void => {
      // A double click wants one.
      if (isUnderWay.current) return
      isUnderWay.current = true
      awaitTyped()
      const show = (tab: EditorTab) => {
        typedIsFor(tab.tabId)
        onSuccess(tab)
      }
      // Also if its trigger is gone by then, as a menu is. The call itself shows why it failed.
      void create
        .mutateAsync(input)
        .then(show, forgetTyped)
        .finally(() => (isUnderWay.current = false))
    },
  }
}
