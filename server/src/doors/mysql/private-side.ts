import type { Ranges } from '@boathouse/contract'
import type { ApprovedEndpoints, PrivateArrival } from '../../modules/vpce/approved.ts'
import type { PrivateSettings } from './link/messages.ts'

export interface PrivateSideParts {
  readonly host: string
  readonly port: number
  /** Load balancers that say which endpoint their client came through; null: addresses say it. */
  readonly proxies: Ranges | null
  readonly approved: Pick<ApprovedEndpoints, 'find' | 'of'>
}

/** What the endpoint has for clients of private links; nothing where the operator has opened nothing for them. */
export class PrivateSide {
  readonly #parts: PrivateSideParts | null
  #port: number | null = null

  constructor(parts: PrivateSideParts | null) {
    this.#parts = parts
  }

  /** Where they connect; null: nowhere now. */
  get address(): { readonly host: string; readonly port: number } | null {
    return this.#parts && this.#port !== null ? { host: this.#parts.host, port: this.#port } : null
  }

  listens(port: number): void {
    this.#port = port
  }

  /** The process has ended. */
  ended(): void {
    this.#port = null
  }

  endpointOf(arrival: PrivateArrival): string | null {
    return this.#parts?.approved.find(arrival, 'sql')?.endpointId ?? null
  }

  get settings(): PrivateSettings | null {
    if (!this.#parts) return null
    const { host, port, proxies, approved } = this.#parts
    const all = approved.of('sql')
    return {
      host,
      port,
      proxies,
      endpointIds: all.map(({ endpointId }) => endpointId),
      ranges: all.flatMap(({ ranges }) => ranges),
    }
  }
}
