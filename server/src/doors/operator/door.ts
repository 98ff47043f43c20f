import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import { AppError } from '../../kernel/app-error.ts'
import { parseJson } from '../../kernel/json/parse.ts'
import type { Log } from '../../kernel/log.ts'
import type { Operator } from '../../modules/operator/commands.ts'

const LONGEST_QUESTION = 64 * 1024

export interface OperatorDoor {
  readonly path: string
  readonly run: Operator
  readonly log: Log
}

async function read(request: IncomingMessage): Promise<{ command: string; input: unknown }> {
  let text = ''
  for await (const chunk of request) {
    text += String(chunk)
    if (text.length > LONGEST_QUESTION) throw new AppError('TooLarge', 'The command is too long.')
  }
  const read = parseJson(Buffer.from(text))
  if (read.problem !== undefined) throw new AppError('BadInput', `The command ${read.problem}`)
  return read.value as { command: string; input: unknown }
}

/**
 * A socket in the data directory that only the user who runs the server can open: that user can read the data anyway.
 * No login is required. A request is `{ command, input }`, an answer `{ output }` or `{ problem }`.
 */
export async function openOperatorDoor({ path, run, log }: OperatorDoor) {
  async function answer(request: IncomingMessage): Promise<object> {
    try {
      const { command, input } = await read(request)
      const output = await run(command, input)
      log.info({ command }, 'an operator command was carried out')
      return { output }
    } catch (error) {
      if (error instanceof AppError) return { problem: error.message }
      log.error({ err: error }, 'an operator command failed for a reason not foreseen')
      return { problem: 'Something went wrong in the service. See its log for details.' }
    }
  }
  const server = createServer((request, reply) => {
    void answer(request).then((body) =>
      reply.setHeader('content-type', 'application/json').end(JSON.stringify(body)),
    )
  })
  // The store is held by this server alone, so whatever is here was left behind by one that is gone.
  await rm(path, { force: true })
  // Bound at once, so that nobody else's file gets the mask.
  const before = process.umask(0o177)
  server.listen(path)
  process.umask(before)
  await once(server, 'listening')
  return {
    async close(): Promise<void> {
      server.closeAllConnections()
      server.close()
      await rm(path, { force: true })
    },
  }
}
