/** A mail as it leaves the service. */
interface Message {
  /** The same for every attempt, so that a mail that was sent twice can be recognised. */
  readonly id: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
  /** The link that the mail asks its reader to open. */
  readonly link: string | undefined
}

export interface Mailer {
  /** 'kept': it goes nowhere, and waits for the operator. Rejects when it could not be delivered now. */
  deliver(message: Message): Promise<'sent' | 'kept'>
  close(): void
}
