import { Socket } from 'node:net'
import { LINK_PIPE } from '../link/frames.ts'
import { Door } from './door.ts'

/** Entry of the process that speaks MySQL's protocol. It prints nothing: what it has to say goes over the link. */

// Files made here are nobody else's business.
process.umask(0o077)

// Ctrl+C reaches the whole group of processes; the server decides when the door ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const pipe = new Socket({ fd: LINK_PIPE, readable: true, writable: true })
const door = new Door(pipe, () => process.exit(0))
// A failure that nobody expected may have left a connection in the middle of something. The server starts the door again.
process.on('uncaughtException', (error) => {
  door.send({ kind: 'trouble', message: `An unexpected failure of the MySQL door: ${error.message}` })
  setImmediate(() => process.exit(1))
})
