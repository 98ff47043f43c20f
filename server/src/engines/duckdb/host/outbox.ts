/**
 * Messages to another process. Those of one moment are one message: each costs both sides a call of the system, and wakes the
 * other one. They keep their order.
 */
export class Outbox<Message> {
  #waiting: Message[] = []

  constructor(private readonly send: (messages: Message[]) => void) {}

  add(message: Message): void {
    // Behind all that is read in this turn.
    if (this.#waiting.push(message) === 1) setImmediate(() => this.flush())
  }

  flush(): void {
    const messages = this.#waiting
    if (messages.length === 0) return
    this.#waiting = []
    this.send(messages)
  }
}
