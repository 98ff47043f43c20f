import { QUERY_STATES } from '@boathouse/contract/realtime'
import { useEffect } from 'react'
import { t } from '../../../i18n/texts.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { runningRun, shownRun } from '../tabs/editor-tab.ts'
import type { Tab } from '../tabs/editor-tab.ts'

type Sign = 'idle' | 'running' | 'finished' | 'failed'

const SIGNS: Readonly<Record<Sign, string>> = { idle: '', running: '▶ ', finished: '✓ ', failed: '✕ ' }
const USUAL_ICON = '/favicon.svg'
const ICONS: Readonly<Record<Sign, string>> = {
  idle: USUAL_ICON,
  running: '/favicon-running.svg',
  finished: '/favicon-finished.svg',
  failed: '/favicon-failed.svg',
}

function signOf(tab: Tab | undefined): Sign {
  const run = tab && shownRun(tab)
  if (!tab || !run) return 'idle'
  if (runningRun(tab)) return 'running'
  if (run.endedBefore !== null) return 'idle'
  return run.state === QUERY_STATES.Finished ? 'finished' : 'failed'
}

const setIcon = (href: string): void => document.querySelector('link[rel="icon"]')?.setAttribute('href', href)

/** Title and icon of the window show which query is open and its state, for users who look at another window. */
export function usePageSign(tabId: string | null): void {
  const { store } = useEditorRuntime()
  const name = useEditorState(store, ({ tabs }) => (tabId === null ? undefined : tabs[tabId]?.tabName))
  const sign = useEditorState(store, ({ tabs }) => signOf(tabId === null ? undefined : tabs[tabId]))
  useEffect(() => {
    if (name === undefined) return
    // After the shell, which names the page when it is opened.
    queueMicrotask(() => (document.title = SIGNS[sign] + t('shell.documentTitle', { page: name })))
    setIcon(ICONS[sign])
  }, [name, sign])
  useEffect(() => () => setIcon(USUAL_ICON), [])
}
