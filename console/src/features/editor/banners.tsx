import type { RealtimeStatus } from '@boathouse/client/realtime-client'
import { lazy, Suspense, useState } from 'react'
import type { ReactNode } from 'react'
import { t } from '../../i18n/texts.ts'
import { useEditorRuntime } from './editor-runtime.ts'
import { useEditorState } from './tabs/editor-store.ts'
import { runningRun } from './tabs/editor-tab.ts'
import { IconAlertTriangle } from './icons.ts'
import { useConnection } from './running/use-connection.ts'
import styles from './editor-page.module.css'

export function Banner({ role, children }: { role: 'status' | 'alert'; children: ReactNode }) {
  return (
    <div className={styles['banner']} role={role}>
      <IconAlertTriangle size={16} stroke={1.8} aria-hidden />
      {children}
    </div>
  )
}

/** The first connect of a page is no loss: only what was open can be lost. */
function useIsLost(status: RealtimeStatus): boolean {
  const [lost, setLost] = useState(status === 'waiting')
  const next = status === 'waiting' || (lost && status === 'connecting')
  if (next !== lost) setLost(next)
  return next
}

export function ConnectionBanner({ tabId }: { tabId: string }) {
  const { store } = useEditorRuntime()
  const status = useConnection()
  const isLost = useIsLost(status)
  // One that was never sent has lost nothing.
  const isRunning = useEditorState(
    store,
    ({ tabs }) => (tabs[tabId] && runningRun(tabs[tabId]))?.held === null,
  )
  if (isLost && isRunning)
    return (
      <Banner role="alert">
        <p>
          {t('editor.connection.lostDuringQuery')} {t('editor.connection.reconnectingWithQuery')}
        </p>
      </Banner>
    )
  if (isLost) return <Banner role="status">{t('editor.connection.reconnecting')}</Banner>
  if (status === 'closed') return <Banner role="status">{t('editor.connection.notConnected')}</Banner>
  return null
}

const SharedBanner = lazy(async () => ({
  default: (await import('./together/shared-banner.tsx')).SharedBanner,
}))

/** Above a query of somebody else. */
export function OwnerBanner({ tabId }: { tabId: string }) {
  const { store } = useEditorRuntime()
  const access = useEditorState(store, ({ tabs }) => tabs[tabId]?.access ?? 'own')
  if (access === 'own') return null
  return (
    <Suspense>
      <SharedBanner tabId={tabId} access={access} />
    </Suspense>
  )
}

const ConflictQuestion = lazy(async () => ({
  default: (await import('./conflict-question.tsx')).ConflictQuestion,
}))

/** A conflict is shown, never overwritten. */
export function ConflictBanner({ tabId }: { tabId: string }) {
  const { store } = useEditorRuntime()
  const conflict = useEditorState(store, ({ tabs }) => tabs[tabId]?.conflict ?? null)
  if (!conflict) return null
  return (
    <Suspense>
      <ConflictQuestion tabId={tabId} saved={conflict.sql} />
    </Suspense>
  )
}
