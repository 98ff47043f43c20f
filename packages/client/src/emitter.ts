export type Listener<T> = (value: T) => void

export interface Emitter<T> {
  /** Returns how to stop listening. */
  subscribe: (listener: Listener<T>) => () => void
  emit: (value: T) => void
}

export function createEmitter<T>(): Emitter<T> {
  const listeners = new Set<Listener<T>>()
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    emit(value) {
      // A copy: a listener that subscribes during this event gets only the next ones.
      const current = Array.from(listeners)
      for (const listener of current) {
        try {
          listener(value)
        } catch (error) {
          // One broken listener must neither stop the others nor the emitting side, nor go unseen.
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
  }
}
