/** What the issuer knows about us. */
export interface Client {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string
  readonly redirectUri: string
}

/** Created for one sign-in, and checked when the browser returns. */
interface Challenge {
  readonly state: string
  readonly nonce: string
  readonly codeVerifier: string
}

/** Who somebody is, in the words of the issuer. */
export interface Claims {
  readonly subject: string
  readonly email: string | undefined
  /** True only where the issuer says so, and nothing else. */
  readonly isEmailVerified: boolean
}

export interface Issuers {
  newChallenge(): Challenge
  /** Where the browser goes; rejects when the issuer does not describe itself. */
  addressOf(client: Client, challenge: Challenge): Promise<string>
  /** Rejects unless the issuer stands for the answer, and for no other challenge. */
  claims(client: Client, challenge: Challenge, answer: string): Promise<Claims>
  close(): void
}
