/** What somebody bought there. */
export interface Purchase {
  /** The same for every token of the same customer and product. */
  readonly customer: string
  readonly marketplace: string
  readonly product: string
}

type Resolved =
  | { readonly state: 'found'; readonly purchase: Purchase }
  | { readonly state: 'invalid' | 'expired' }

/** So much of something in an hour. Sent again with the same content, it is counted once. */
export interface MeteringRecord {
  readonly recordId: string
  readonly customer: string
  readonly product: string
  readonly dimension: string
  readonly hour: Date
  readonly quantity: number
}

/**
 * `taken`: it is on the customer's bill. `refused`: it never will be. `later`: it is not, and may be sent again. `unsure`:
 * nobody knows, and it may be sent again with the same content.
 */
export type MeteringOutcome =
  | { readonly state: 'taken'; readonly receipt: string }
  | { readonly state: 'refused' | 'later' | 'unsure'; readonly problem: string }

export interface Marketplace {
  readonly id: 'none' | 'local' | 'aws'
  /** Records of older hours are not taken any more. */
  readonly takesHoursForMs: number
  readonly recordsAtOnce: number
  /** Rejects when the marketplace does not answer, or with an error of its own. */
  resolve(token: string): Promise<Resolved>
  /** All of one product; an outcome for each, in their order. Never rejects. */
  meter(records: readonly MeteringRecord[]): Promise<readonly MeteringOutcome[]>
}
