import { lazy, Suspense, useCallback, useState } from 'react'
import { isBoolean, useKept } from '../../../lib/kept.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import type { RunTarget } from '../text/run-target.ts'
import { dangersIn } from './dangers.ts'
import type { Danger } from './dangers.ts'

const DangerDialog = lazy(async () => ({ default: (await import('./danger-dialog.tsx')).DangerDialog }))

interface Asked {
  readonly target: RunTarget
  readonly dangers: readonly Danger[]
}

/** Runs a text; before one that takes all rows of a table, or the table, it asks. */
export function useCarefulRun(tabId: string) {
  const { store, runner } = useEditorRuntime()
  const [asks, setAsks] = useKept('asks-before-danger', true, isBoolean)
  const [asked, setAsked] = useState<Asked | null>(null)
  const [isOpen, setOpen] = useState(false)
  const run = useCallback(
    (target: RunTarget) => {
      const dangers = asks ? dangersIn(target.sql) : []
      if (dangers.length === 0) return void runner.run(tabId, target)
      setAsked({ target, dangers })
      setOpen(true)
    },
    [asks, runner, tabId],
  )
  const tab = store.tab(tabId)
  const dialog = asked && (
    <Suspense>
      <DangerDialog
        open={isOpen}
        dangers={asked.dangers}
        place={{ catalog: tab?.catalog ?? '', database: tab?.database ?? '' }}
        asks={asks}
        onAsks={setAsks}
        onClose={() => setOpen(false)}
        onRun={() => {
          setOpen(false)
          runner.run(tabId, asked.target)
        }}
      />
    </Suspense>
  )
  return { run, dialog }
}
