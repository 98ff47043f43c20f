import type { Clock } from '../../kernel/clock.ts'
import type { Held } from './shares.ts'

interface Entry {
  readonly queryId: string
  readonly from: number
  to: number | null
}

/** Which statements held slots in which warehouse since when, until the meter has counted that time. */
export function createSlotLedger(clock: Clock) {
  const entries = new Map<string, Set<Entry>>()

  return {
    /** Gives what is to be called when the slot is given back. */
    begin(warehouseId: string, queryId: string): () => void {
      const entry: Entry = { queryId, from: clock.now().getTime(), to: null }
      const known = entries.get(warehouseId) ?? new Set<Entry>()
      entries.set(warehouseId, known.add(entry))
      return () => {
        entry.to ??= clock.now().getTime()
      }
    },

    held: (warehouseId: string): readonly Held[] => [...(entries.get(warehouseId) ?? [])],

    /** What is before this moment has been counted. */
    forget(warehouseId: string, until: Date): void {
      const known = entries.get(warehouseId)
      for (const entry of known ?? [])
        if (entry.to !== null && entry.to <= until.getTime()) known?.delete(entry)
      if (known?.size === 0) entries.delete(warehouseId)
    },

    /** A run is over, and what began in it is counted no further, whether it still holds its slot or not. */
    close(warehouseId: string, at: Date): void {
      const known = entries.get(warehouseId)
      for (const entry of known ?? []) if (entry.from < at.getTime()) known?.delete(entry)
      if (known?.size === 0) entries.delete(warehouseId)
    },
  }
}

export type SlotLedger = ReturnType<typeof createSlotLedger>
