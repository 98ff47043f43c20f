import { audit } from '@boathouse/contract/audit'
import { useEffect, useRef, useState } from 'react'
import { isCallError, send } from '../../../lib/api.ts'

/** What is known of the log since the page was opened. */
export type Verification =
  | { readonly state: 'none' }
  | { readonly state: 'running'; readonly checked: number; readonly total: number }
  | { readonly state: 'good'; readonly checked: number; readonly head: string; readonly at: string }
  | { readonly state: 'bad'; readonly problem: string }
  | { readonly state: 'failed'; readonly why: string }

interface Walk {
  readonly signal: AbortSignal
  readonly report: (verification: Verification) => void
}

/** Part by part, each from where the one before ended, until all entries of that moment are checked. */
async function walk({ signal, report }: Walk): Promise<void> {
  let part = await send(audit.verify, {}, { signal })
  while (part.problem === null && part.checked < part.total) {
    const { checked, head, total } = part
    report({ state: 'running', checked, total })
    part = await send(audit.verify, { checked, head }, { signal })
  }
  const { problem, checked, head } = part
  if (problem === null) report({ state: 'good', checked, head, at: new Date().toISOString() })
  else report({ state: 'bad', problem })
}

/** The chain is checked when somebody asks for it, and no longer than they look. */
export function useVerification() {
  const [verification, setVerification] = useState<Verification>({ state: 'none' })
  const running = useRef<AbortController>(null)
  useEffect(() => () => running.current?.abort(), [])
  const stop = (): void => {
    running.current?.abort()
    setVerification({ state: 'none' })
  }
  const start = async (): Promise<void> => {
    const asked = new AbortController()
    running.current?.abort()
    running.current = asked
    const report = (reported: Verification): void => {
      if (!asked.signal.aborted) setVerification(reported)
    }
    report({ state: 'running', checked: 0, total: 0 })
    try {
      await walk({ signal: asked.signal, report })
    } catch (error) {
      if (!isCallError(error)) throw error
      report({ state: 'failed', why: error.message })
    }
  }
  return { verification, start, stop }
}
