export interface SocketHandlers {
  opened(): void
  received(data: unknown): void
  closed(code: number): void
  failed(detail: unknown): void
}

/** As much of a WebSocket as the channel needs. */
export interface SocketLike {
  listen(handlers: SocketHandlers): void
  send(text: string): void
  close(): void
}

interface CurrentSocketParts extends SocketHandlers {
  readonly openSocket: (url: string) => SocketLike
}

/** One socket at a time: events of a socket that was given up are ignored. */
export function createCurrentSocket(parts: CurrentSocketParts) {
  let socket: SocketLike | null = null

  function handlersOf(own: SocketLike): SocketHandlers {
    const ifCurrent = (action: () => void) => {
      if (socket === own) action()
    }
    return {
      opened: () => ifCurrent(() => parts.opened()),
      received: (data) => ifCurrent(() => parts.received(data)),
      closed: (code) => ifCurrent(() => parts.closed(code)),
      failed: (detail) => ifCurrent(() => parts.failed(detail)),
    }
  }

  return {
    get: () => socket,
    open(url: string): void {
      const opening = parts.openSocket(url)
      socket = opening
      opening.listen(handlersOf(opening))
    },
    /** It has closed already. */
    forget(): void {
      socket = null
    },
    /** A dead socket can take minutes to close, so nobody waits for that. */
    giveUp(): void {
      const given = socket
      socket = null
      given?.close()
    },
    send(text: string): void {
      socket?.send(text)
    },
  }
}
