import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { noneIfUnreadable, writePrivate } from './private-files.ts'

/** More than the database takes. */
const MOST_CONNECTIONS = 100

/**
 * A port of this machine behind which is the database of the service, which itself listens on a socket of the file system
 * only: Java connects to ports. Who comes in has to know a password of the database, as on its socket. The port is that of
 * the last time where it can be, for clusters that still run.
 */
export async function openDatabaseLine(socket: string, portFile: string) {
  const before =
    Number(await readFile(portFile, 'utf8').catch((error: unknown) => noneIfUnreadable(error))) || 0
  const server = await listening(socket, before).catch(() => listening(socket, 0))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await writePrivate(portFile, String(port))
  return {
    port,
    async close(): Promise<void> {
      server.close()
      open.get(server)?.()
      await once(server, 'close')
    },
  }
}

export type DatabaseLine = Awaited<ReturnType<typeof openDatabaseLine>>

const open = new WeakMap<Server, () => void>()

async function listening(socket: string, port: number): Promise<Server> {
  const ends = new Set<() => void>()
  const server = createServer((client) => {
    const database = connect(socket)
    const finish = (): void => {
      client.destroy()
      database.destroy()
      ends.delete(finish)
    }
    ends.add(finish)
    for (const end of [client, database]) end.on('error', finish).on('close', finish)
    client.pipe(database).pipe(client)
  })
  server.maxConnections = MOST_CONNECTIONS
  open.set(server, () => ends.forEach((finish) => finish()))
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
