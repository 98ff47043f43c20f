/** An error as MySQL numbers them, of what a client sent. */
export class ProtocolError extends Error {
  constructor(
    readonly code: number,
    readonly sqlState: string,
    message: string,
  ) {
    super(message)
  }
}

/** A packet that cannot be read; the ones behind it can. */
export const malformed = (): ProtocolError =>
  new ProtocolError(1835, 'HY000', 'Malformed communication packet.')

/** What ends a connection: nothing that follows can be trusted. `cause` is what it is counted by. */
export class FatalProtocolError extends ProtocolError {
  constructor(
    override readonly cause: string,
    { code, sqlState, message }: { code: number; sqlState: string; message: string },
  ) {
    super(code, sqlState, message)
  }
}

/** The socket is closed: nothing can be said any more. */
export class ClientGone extends Error {}
