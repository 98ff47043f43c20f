import { useEffect } from 'react'
import { callEvents } from '../lib/api.ts'
import { notify } from '../ui/index.ts'

/** The library says how long, the application shows it. */
export const useCallToasts = (): void =>
  useEffect(
    () =>
      callEvents.subscribe((event) => {
        if (event.type === 'failed') notify({ tone: 'err', ...event.toast })
      }),
    [],
  )
