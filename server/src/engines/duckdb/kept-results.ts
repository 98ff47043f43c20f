import type { KeptResults } from '../engine.ts'

export const NOTHING_KEPT: KeptResults = {
  read: () => Promise.resolve(null),
  cell: () => Promise.resolve(null),
  export: () => Promise.resolve(null),
  drop: () => Promise.resolve(),
  list: () => Promise.resolve([]),
}
