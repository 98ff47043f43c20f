/** A server that this one sends messages to: the central one, or that of a region. */
interface OtherServer {
  /** As messages name it. */
  readonly name: string
  readonly url: string
  /** What both share. */
  readonly secret: string
}

/** Rejects with an `OutsideRefused`. */
export interface RegionLink {
  /** The data of the answer, not checked yet. */
  ask(to: OtherServer, message: object): Promise<unknown>
  close(): void
}
