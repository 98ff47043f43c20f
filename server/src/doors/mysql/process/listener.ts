import { type AddressInfo, type Socket, createServer } from 'node:net'
import type { DoorSettings } from '../link/messages.ts'
import { PacketWriter } from './wire/packet-writer.ts'
import { PayloadBuilder } from './wire/payload-builder.ts'

export interface ListenerOptions {
  readonly settings: Pick<DoorSettings, 'host' | 'port'>
  accepted(socket: Socket): void
  listening(port: number): void
  failed(message: string): void
}

/** Gives how to stop it. */
export function listen({ settings, accepted, listening, failed }: ListenerOptions): () => void {
  const { host, port } = settings
  // Of those whose connection is not yet taken from the system.
  const server = createServer({ noDelay: true }, accepted)
  server.on('error', (error: NodeJS.ErrnoException) => {
    const isTaken = error.code === 'EADDRINUSE'
    failed(
      isTaken
        ? `Port ${port} of ${host} is in use: another program listens there. Choose another port for the MySQL door.`
        : `The MySQL door cannot listen on port ${port} of ${host}: ${error.message}.`,
    )
  })
  server.listen({ host, port, backlog: 511 }, () => listening((server.address() as AddressInfo).port))
  return () => server.close()
}

const TOO_MANY = new PayloadBuilder()
  .byte(0xff)
  .uint16(1040)
  .bytes(Buffer.from('Too many connections'))
  .build()

/** Says so to a client that is not served, and closes. Before a greeting, errors have no SQLSTATE. */
export function turnAway(socket: Socket): void {
  const writer = new PacketWriter({
    sequence: { next: 0 },
    write: (bytes) => socket.end(bytes),
    granted: () => undefined,
  })
  socket.on('error', () => undefined)
  writer.packet(TOO_MANY)
  writer.flush()
  socket.destroySoon()
}
