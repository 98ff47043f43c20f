import { useEffect, useState } from 'react'
import { useEditorRuntime } from '../editor-runtime.ts'

const TICK_MS = 100

/** The time, updated while `active`; it stays the same otherwise, so that nothing is rendered needlessly. */
export function useNow(active: boolean): number {
  const { clock } = useEditorRuntime()
  const [now, setNow] = useState(() => clock.now())
  useEffect(() => {
    if (!active) return
    const tick = () => setNow(clock.now())
    const timer = clock.setInterval(tick, TICK_MS)
    return () => clock.clearInterval(timer)
  }, [active, clock])
  return now
}
