import type { Figures } from '../link/messages.ts'

/** What happened since the figures were reported last. */
export class Counting {
  accepted = 0
  bytesIn = 0
  bytesOut = 0
  commands = 0
  #refused: Record<string, number> = {}

  refused(cause: string): void {
    this.#refused[cause] = (this.#refused[cause] ?? 0) + 1
  }

  take(open: number): Figures {
    const { accepted, bytesIn, bytesOut, commands } = this
    const figures = { open, accepted, refused: this.#refused, bytesIn, bytesOut, commands }
    this.accepted = 0
    this.bytesIn = 0
    this.bytesOut = 0
    this.commands = 0
    this.#refused = {}
    return figures
  }
}
