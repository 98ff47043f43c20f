import type { DOORS } from '@boathouse/contract'

/** How a client came in, as the history shows it. */
export interface Origin {
  readonly door: (typeof DOORS)[number]
  /** Where the client is; null for the service's own work. */
  readonly clientIp: string | null
  /** What the client's program calls itself, where it says so. */
  readonly program?: string | undefined
}
