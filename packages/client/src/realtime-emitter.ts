import { createEmitter } from './emitter.ts'
import type { RealtimeEventName, RealtimeEvents } from './realtime-events.ts'

export function createRealtimeEmitter() {
  const emitters = new Map<RealtimeEventName, ReturnType<typeof createEmitter<unknown>>>()
  function emitterOf(event: RealtimeEventName) {
    const found = emitters.get(event) ?? createEmitter<unknown>()
    emitters.set(event, found)
    return found
  }
  return {
    on: <E extends RealtimeEventName>(event: E, listener: (value: RealtimeEvents[E]) => void): (() => void) =>
      emitterOf(event).subscribe((value) => listener(value as RealtimeEvents[E])),
    emit: <E extends RealtimeEventName>(event: E, value: RealtimeEvents[E]): void =>
      emitterOf(event).emit(value),
  }
}

export type RealtimeEmitter = ReturnType<typeof createRealtimeEmitter>
