import { useEffect, useState } from 'react'

/** A user who types is interested in the whole word. */
const REST_MS = 250

/** What somebody changes, once they rest. */
export function useRested<V>(value: V): V {
  const [rested, setRested] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS)
    return () => clearTimeout(timer)
  }, [value])
  return rested
}
