import { useEffect, useState } from 'react'

/** Nobody confirms by the keystroke that was meant for the page behind. */
const CONFIRM_AFTER_MS = 1_000

export function useIsConfirmable(): boolean {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setOver(true), CONFIRM_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return isOver
}
