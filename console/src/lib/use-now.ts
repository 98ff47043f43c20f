import { useEffect, useState } from 'react'

const TICK_MS = 10_000

/** The time, so that what is shown of it does not stay behind while the page is open. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return now
}
