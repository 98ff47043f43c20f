import { AppError } from '../../kernel/app-error.ts'

export interface LocalFileParts {
  /** The client answers nothing else until it has sent the file. */
  ask(name: string): void
  grant(bytes: number): void
}

const GONE = 'The client went away before it had sent the whole file. Nothing was loaded.'

/**
 * A file of a client, asked for when somebody begins to read it. No more of it is here than a window: the client may send
 * on as it is read.
 */
export class LocalFile {
  readonly #parts: LocalFileParts
  readonly #arrived: Uint8Array[] = []
  /** Of what was read last, and may be on its way to a disk. */
  #inHand = 0
  #isWhole = false
  #isAbandoned = false
  #failure: AppError | null = null
  #refusal: string | null = null
  #changed: (() => void) | null = null

  constructor(parts: LocalFileParts) {
    this.#parts = parts
  }

  /** Why the client cannot send it; null when it can, or was not asked. */
  get refusal(): string | null {
    return this.#refusal
  }

  /** Once. */
  async *read(name: string): AsyncGenerator<Uint8Array> {
    this.#parts.ask(name)
    for (;;) {
      if (this.#failure) throw this.#failure
      const bytes = this.#arrived.shift()
      if (bytes) {
        this.#inHand = bytes.length
        yield bytes
        // Asked for the next: this one lies where it belongs.
        this.#letGo()
      } else if (this.#isWhole) return
      else await new Promise<void>((resolve) => (this.#changed = resolve))
    }
  }

  received(bytes: Uint8Array): void {
    if (this.#isAbandoned) return this.#parts.grant(bytes.length)
    this.#arrived.push(bytes)
    this.#changed?.()
  }

  sent(error: string | null): void {
    this.#refusal = error
    if (error !== null) this.#failure ??= new AppError('BadInput', error)
    this.#isWhole = true
    this.#changed?.()
  }

  gone(): void {
    this.#failure ??= new AppError('BadInput', GONE)
    this.#changed?.()
  }

  /** Nobody reads on. What still comes is dropped, because the client reads no answer before it has sent everything. */
  abandon(): void {
    this.#isAbandoned = true
    this.#letGo()
    for (const { length } of this.#arrived.splice(0)) this.#parts.grant(length)
  }

  #letGo(): void {
    if (this.#inHand > 0) this.#parts.grant(this.#inHand)
    this.#inHand = 0
  }
}
