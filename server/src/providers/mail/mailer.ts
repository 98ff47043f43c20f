/** A mail as it leaves the service. */
interface Message {
  /** The same for every attempt, so that a mail that was sent twice can be told to be one. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** What the reader is asked to open. */
  readonly link: string | undefined
}

export interface Mailer {
  /** 'kept': it goes nowhere, and waits for the operator. Rejects when it could not be delivered now. */
  deliver(message: Message): Promise<'sent' | 'kept'>
  close(): void
}
