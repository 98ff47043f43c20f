import type { EditorStore } from '../tabs/editor-store.ts'
import type { TextSaver } from '../tabs/text-saver.ts'
import { untilSaved } from '../tabs/until-saved.ts'

interface Parts {
  readonly store: EditorStore
  readonly saver: Pick<TextSaver, 'flush'>
  mark(run: { tabId: string; revision: number }): Promise<unknown>
}

/** The text that was run becomes a version of the saved query. A sample has none. */
export const createRunMarks = ({ store, saver, mark }: Parts) => ({
  async markRun(tabId: string): Promise<void> {
    const ran = store.tab(tabId)
    if (!ran || ran.sample) return
    const saved = await untilSaved({ store, saver }, tabId)
    if (saved?.sql !== ran.sql) return
    try {
      await mark({ tabId, revision: saved.revision })
    } catch {
      // The run itself is in the history; only its mark among the versions is missing.
    }
  },
})
