interface WebhookRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface WebhookAnswer {
  readonly status: number
  /** How it begins; the rest is not read. */
  readonly body: string
}

export interface WebhookSender {
  /** Redirects are answers as any other. Rejects with an `OutsideRefused`. */
  send(request: WebhookRequest): Promise<WebhookAnswer>
  /** Throws an `OutsideRefused` for a URL that nothing is ever sent to. */
  requireAllowed(url: string): void
  close(): void
}
