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
  readonly tell: (verification: Verification) => void
}

/** Part by part, each from where the one before ended, until all entries of that moment are checked. */
async function walk({ signal, tell }: Walk): Promise<void> {
  let part = await send(audit.verify, {}, { signal })
  while (part.problem === null && part.checked < part.total) {
    const { checked, head, total } = part
    tell({ state: 'running', checked, total })
    part = await send(audit.verify, { checked, head }, { signal })
  }
  const { problem, checked, head } = part
  if (problem === null) tell({ state: 'good', checked, head, at: new Date().toISOString() })
  else tell({ state: 'bad', problem })
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
    const tell = (told: Verification): void => {
      if (!asked.signal.aborted) setVerification(told)
    }
    tell({ state: 'running', checked: 0, total: 0 })
    try {
      await walk({ signal: asked.signal, tell })
    } catch (error) {
      if (!isCallError(error)) throw error
      tell({ state: 'failed', why: error.message })
    }
  }
  return { verification, start, stop }
}
