import type { SocketLike } from './current-socket.ts'

/** As much of a WebSocket as is used here; that of browsers, of Node 22 and of the package ws all fit. */
export interface WebSocketLike {
  addEventListener(type: 'open', listener: () => void): void
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void
  addEventListener(type: 'error', listener: (event: { type: string }) => void): void
  send(text: string): void
  close(): void
}
export type WebSocketClass = new (url: string) => WebSocketLike

export function openWebSocket(url: string, given?: WebSocketClass): SocketLike {
  const Socket: WebSocketClass | undefined = given ?? globalThis.WebSocket
  if (!Socket)
    throw new Error('This runtime has no WebSocket. Pass one in, such as the package ws, or use Node 22.')
  const socket = new Socket(url)
  return {
    listen(handlers) {
      socket.addEventListener('open', () => handlers.opened())
      socket.addEventListener('message', (event) => handlers.received(event.data))
      socket.addEventListener('close', (event) => handlers.closed(event.code))
      // A browser tells pages nothing about the cause.
      socket.addEventListener('error', (event) => handlers.failed(event.type))
    },
    send: (text) => socket.send(text),
    close: () => socket.close(),
  }
}
