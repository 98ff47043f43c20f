export interface AssistantMessage {
  readonly role: 'system' | 'user'
  readonly content: string
}

/** A model that answers in words. */
export interface Assistant {
  /** Where it is, for who decides whether to send something there. */
  readonly host: string
  readonly model: string
  /** Rejects with an `AppError` when it does not answer, or the signal is aborted. */
  ask(messages: readonly AssistantMessage[], signal: AbortSignal): Promise<string>
}
