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

export interface Marketplace {
  /** Rejects when the marketplace does not answer, or with an error of its own. */
  resolve(token: string): Promise<Resolved>
}
