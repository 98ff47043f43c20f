import { HostedEngine } from './hosted-engine.ts'
import { Outbox } from './outbox.ts'
import type { Report, Request } from './protocol.ts'

/** Entry of the process that holds one account's DuckDB. It prints nothing: statements stay between us two. */

// Files made here are nobody else's business.
process.umask(0o077)

const outbox = new Outbox<Report>((reports) => process.send?.(reports))
const engine = new HostedEngine({ send, die })

// Ends at once, even in the middle of a statement: a host without its server would keep the account's files.
process.on('disconnect', end)
process.on('uncaughtException', (error) =>
  die(`An unexpected failure in the engine's process: ${error.message}`),
)
process.on('unhandledRejection', (reason) =>
  die(`An unexpected failure in the engine's process: ${String(reason)}`),
)
// Ctrl+C reaches the whole group of processes; the server decides when and how the engine ends.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
process.on('message', (requests: readonly Request[]) => {
  for (const request of requests) void engine.receive(request)
})

function send(report: Report): void {
  outbox.add(report)
}

function die(reason: string): void {
  outbox.flush()
  const reports: readonly Report[] = [{ kind: 'dying', reason }]
  process.send?.(reports, undefined, undefined, end)
}

/** An ordinary exit would wait for the statements that are running. */
function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
