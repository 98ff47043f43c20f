import { useSyncExternalStore } from 'react'
import type { Notice } from './toasts.tsx'

/** A notice that was shown; it can be read again when its toast has gone. */
export interface PastNotice extends Pick<Notice, 'tone' | 'message'> {
  readonly id: number
  readonly at: number
}

const MOST = 200

let past: readonly PastNotice[] = []
let lastId = 0
const listeners = new Set<() => void>()

function become(next: readonly PastNotice[]): void {
  past = next
  for (const listener of listeners) listener()
}

/** Also for what needs no toast. */
export function rememberNotice({ tone, message }: Pick<Notice, 'tone' | 'message'>): void {
  become([{ id: ++lastId, at: Date.now(), tone, message }, ...past].slice(0, MOST))
}

export const forgetNotices = (): void => become([])

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Newest first. */
export const usePastNotices = (): readonly PastNotice[] => useSyncExternalStore(subscribe, () => past)
