/** A file at an address of the web, as its server begins to answer. */
export interface WebFile {
  /** With an ending that says its format, as far as anything says it. */
  readonly name: string
  /** Null: its server does not say. */
  readonly sizeBytes: number | null
  /** Throws an `OutsideRefused` where it breaks off. Leaving it closes the connection. */
  readonly body: AsyncIterable<Buffer>
}

export interface WebFiles {
  /** Rejects with an `OutsideRefused`. `stop` ends the body, too. */
  open(address: string, stop: AbortSignal): Promise<WebFile>
  close(): void
}
