import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Line {
  /** Where a browser reaches the product through this line. */
  readonly url: string
  /** Breaks every connection, without a word, and lets no new one through. */
  cut(): void
  mend(): void
  close(): Promise<void>
}

/** A line between browser and product that can be cut in the middle of anything. */
export async function openLine(productUrl: string): Promise<Line> {
  const { hostname, port } = new URL(productUrl)
  const sockets = new Set<Socket>()
  let isCut = false

  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Broken connections are the purpose here; the close that follows ends the other side.
    socket.on('error', () => undefined)
  }
  const breakAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  const server = createServer((near) => {
    keep(near)
    if (isCut) return void near.destroy()
    const far = connect(Number(port), hostname)
    keep(far)
    near.pipe(far).pipe(near)
    near.once('close', () => far.destroy())
    far.once('close', () => near.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true
      breakAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      const closed = once(server, 'close')
      server.close()
      breakAll()
      await closed
    },
  }
}
