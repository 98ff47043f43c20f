import { QUERY_STATES } from '@boathouse/contract/realtime'
import { t } from '../../../i18n/texts.ts'
import { formatDuration } from '../../../lib/format.ts'
import { notify } from '../../../ui/index.ts'
import type { EditorStore } from '../tabs/editor-store.ts'
import type { Tab } from '../tabs/editor-tab.ts'
import { isRunning } from './run.ts'
import type { Run } from './run.ts'

/** A user who waits longer has turned to something else. */
const LONG_MS = 10_000

const isLong = ({ startTime, endTime }: Run): boolean => (endTime ?? startTime) - startTime >= LONG_MS

const endedIn = (tab: Tab, before: Tab | undefined): Run | undefined =>
  tab.runs.find((run) => {
    const earlier = before?.runs.find(({ requestId }) => requestId === run.requestId)
    return run.visible && run.endedBefore === null && earlier && isRunning(earlier) && !isRunning(run)
  })

/** Notifies the user of the end of a long query that nobody looks at. */
export function notifyEnded(store: EditorStore): void {
  const isSeen = (tabId: string) => !document.hidden && store.api.getState().activeTabId === tabId
  store.api.subscribe((state, before) => {
    for (const tab of Object.values(state.tabs)) {
      const known = before.tabs[tab.tabId]
      const ended = tab === known ? undefined : endedIn(tab, known)
      if (!ended || !isLong(ended) || isSeen(tab.tabId)) continue
      const isWell = ended.state === QUERY_STATES.Finished
      notify({
        tone: isWell ? 'ok' : 'warn',
        message: t(isWell ? 'editor.ended.finished' : 'editor.ended.failed', {
          name: tab.tabName,
          time: formatDuration((ended.endTime ?? 0) - ended.startTime),
        }),
        durationMs: LONG_MS,
      })
    }
  })
}
