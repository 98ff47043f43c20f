import { createEmitter } from '@boathouse/client/emitter'
import { user } from '@boathouse/contract/user'
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { send } from './send.ts'

/** Until when a change of the firewall holds that was made here and cut off this address. */
let endsAt: number | null = null
const changed = createEmitter<void>()

function become(next: number | null): void {
  endsAt = next
  changed.emit()
}

export const rememberTrial = (leftMs: number): void => become(Date.now() + leftMs)
export const forgetTrial = (): void => become(null)

const subscribe = (listener: () => void) => changed.subscribe(listener)

export const useOwnTrial = (): number | null => useSyncExternalStore(subscribe, () => endsAt)

const TICK_MS = 250
const leftUntil = (end: number): number => Math.max(0, Math.ceil((end - Date.now()) / 1000))

/** Whole seconds, counting down to zero. */
export function useSecondsLeft(end: number): number {
  const [left, setLeft] = useState(() => leftUntil(end))
  useEffect(() => {
    const tick = () => setLeft(leftUntil(end))
    tick()
    const timer = setInterval(tick, TICK_MS)
    return () => clearInterval(timer)
  }, [end])
  return left
}

const LOOK_MS = 5_000

/** A block ends when somebody changes a rule, whenever that is: this polls the service until it allows this address. */
export function useReturnWhenLetIn(onReturned: () => void): void {
  const returned = useEffectEvent(onReturned)
  useEffect(() => {
    const ask = async (): Promise<void> => {
      try {
        await send(user.info, {}, { silent: true })
      } catch {
        // Still blocked, or no connection: asked again. Any other answer restores the page.
        return
      }
      returned()
    }
    const look = (): void => void ask()
    const timer = setInterval(look, LOOK_MS)
    // A user who returns to the window need not wait.
    window.addEventListener('focus', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
    }
  }, [])
}

const TRY_MS = 1_000
/** Then somebody has confirmed the change, and this address stays out. */
const TRIES = 10

/** After its time this polls the service until it allows this address again. */
export function useReturnAfterTrial(end: number, onReturned: () => void): void {
  const returned = useEffectEvent(onReturned)
  useEffect(() => {
    let tries = 0
    const ask = async (): Promise<void> => {
      try {
        await send(user.info, {}, { silent: true })
      } catch {
        // Not yet, or no line: asked again.
        return
      }
      forgetTrial()
      returned()
    }
    const timer = setInterval(() => {
      if (Date.now() < end) return
      if (++tries > TRIES) forgetTrial()
      else void ask()
    }, TRY_MS)
    return () => clearInterval(timer)
  }, [end])
}
