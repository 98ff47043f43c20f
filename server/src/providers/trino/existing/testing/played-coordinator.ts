import { once } from 'node:events'
import { createServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { selfSigned } from '../../../../doors/mysql/process/testing/self-signed.ts'
import type { ExistingAddress } from '../line.ts'

interface Asked {
  readonly path: string
  readonly user: string | undefined
  readonly authorization: string | undefined
  readonly sql: string
}

/** A status and a body; `silence`: no answer at all; `cut`: the connection ends. */
type Answer = readonly [status: number, body: unknown] | 'silence' | 'cut'

/** Undefined: as a coordinator at rest. */
type Reaction = (asked: Asked) => Answer | undefined

const INFO = {
  nodeVersion: { version: '476' },
  environment: 'production',
  coordinator: true,
  starting: false,
}

export const PASSWORD = 'a-secret-that-nobody-may-see'
const NODES = [
  ['c', true, 'active'],
  ['w', false, 'active'],
]

function atRest({ path, sql }: Asked): Answer {
  if (path === '/v1/info') return [200, INFO]
  if (path.startsWith('/v1/query/')) return [200, { referencedTables: [] }]
  if (sql.includes('system.runtime.nodes')) return [200, { id: 'q', data: NODES }]
  return [200, { id: 'q', data: sql === 'SHOW CATALOGS' ? [['sales'], ['secret'], ['system']] : [[1]] }]
}

/** A coordinator by TLS that does what a test says, for days that a real one has seldom. */
export async function playCoordinator(react: Reaction = () => undefined) {
  const asked: Asked[] = []
  let reaction = react
  const { certificate, key } = selfSigned('localhost')
  const server = createServer({ cert: certificate, key }, (request, response) => {
    void (async () => {
      const parts: Buffer[] = []
      for await (const part of request) parts.push(part as Buffer)
      const { headers, url: path = '' } = request
      const one = {
        path,
        user: headers['x-trino-user'] as string | undefined,
        authorization: headers.authorization,
        sql: Buffer.concat(parts).toString(),
      }
      asked.push(one)
      const answer = reaction(one) ?? atRest(one)
      if (answer === 'silence') return
      if (answer === 'cut') return void response.destroy()
      const [status, body] = answer
      response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))
    })()
  })
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  const listen = async (port: number): Promise<void> => {
    server.listen(port, 'localhost')
    await once(server, 'listening')
  }
  const die = async (): Promise<void> => {
    for (const socket of sockets) socket.destroy()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  await listen(0)
  onTestFinished(die)
  const { port } = server.address() as AddressInfo
  const address: ExistingAddress = {
    url: `https://localhost:${port}`,
    user: 'boathouse-service',
    credential: { password: PASSWORD },
    certificates: certificate,
  }
  return {
    address,
    asked,
    play: (next: Reaction) => (reaction = next),
    die,
    /** At the same address. */
    rise: () => listen(port),
  }
}
