import { RouterProvider } from '@tanstack/react-router'
import { useEffect } from 'react'
import { copyText } from '../lib/copy.ts'
import { personOf } from '../lib/session-values.ts'
import { session } from '../lib/session.ts'
import { t } from '../i18n/texts.ts'
import { BaseProvider, notify } from '../ui/index.ts'
import type { createAppRouter } from './router.tsx'

interface Props {
  readonly router: ReturnType<typeof createAppRouter>
}

export function App({ router }: Props) {
  useGuardsOnLoginChange(router)
  return (
    <BaseProvider copy={copyText}>
      <RouterProvider router={router} />
    </BaseProvider>
  )
}

/** Signing in or out in another window is felt here at once, not at the next click. */
function useGuardsOnLoginChange(router: Props['router']): void {
  useEffect(() => {
    const login = () => `${session.get().token} ${personOf(session.get())}`
    let known = login()
    let here = personOf(session.get())
    // Only other windows raise this event; changes in this one are handled already.
    const check = () => {
      const next = login()
      if (next !== known) void router.invalidate()
      known = next
      const person = personOf(session.get())
      if (here !== null && person === null)
        notify({ tone: 'info', message: t('shell.signedOutElsewhere'), durationMs: 30_000 })
      here = person
    }
    window.addEventListener('storage', check)
    return () => window.removeEventListener('storage', check)
  }, [router])
}
