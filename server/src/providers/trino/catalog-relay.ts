import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Log } from '../../kernel/log.ts'
import { type OutsideReason, OutsideRefused } from '../../kernel/outside.ts'
import type { AskedMetadata } from '../iceberg/iceberg-catalog.ts'
import { noneIfUnreadable, writePrivate } from './private-files.ts'
import { CONFIGURATION, questionOf } from './relay-questions.ts'

/** What clusters of an account may know of its catalogs over data elsewhere. Rejects with an `OutsideRefused`. */
export interface RelayedCatalogs {
  metadata(
    accountId: string,
    asked: { readonly catalogId: string; readonly metadata: AskedMetadata },
    stop: AbortSignal,
  ): Promise<string>
}

interface RelayOptions {
  readonly portFile: string
  readonly log: Log
}

/** Not 429, 502, 503 or 504: a node would ask again for half a minute, where the service has already waited. */
const STATUS: Readonly<Record<OutsideReason, number>> = {
  missing: 404,
  changed: 409,
  refused: 403,
  unreachable: 500,
  nonsense: 500,
}
/** By these a node of a cluster knows what is not there. */
const TYPE: Readonly<Record<AskedMetadata['of'], string>> = {
  namespaces: 'NoSuchNamespaceException',
  namespace: 'NoSuchNamespaceException',
  tables: 'NoSuchNamespaceException',
  table: 'NoSuchTableException',
}
const MOST_CONNECTIONS = 200

const digestOf = (token: string): string => createHash('sha256').update(token).digest('base64')

/**
 * A port of this machine where clusters ask for the tables of catalogs over data elsewhere. The service asks their
 * servers, by its own rules and with their credentials, which no cluster learns; of all that Iceberg REST has, only reading is
 * there. A cluster comes in with its token, and gets what its account has.
 */
export async function openCatalogRelay(catalogs: RelayedCatalogs, { portFile, log }: RelayOptions) {
  /** By digests of tokens, so that a comparison says nothing about a token. */
  const accounts = new Map<string, string>()

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = ''] = /^Bearer (.+)$/.exec(request.headers.authorization ?? '') ?? []
    const accountId = token === '' ? undefined : accounts.get(digestOf(token))
    const question = questionOf(request)
    if (accountId === undefined)
      return fail(response, { status: 401, message: 'The token of this cluster is not known.' })
    if (!question)
      return fail(response, {
        status: 406,
        message: 'Catalogs over data elsewhere are read-only in a cluster.',
      })
    const stop = new AbortController()
    response.once('close', () => stop.abort())
    try {
      const { of, catalogId } = question
      const text =
        of === 'config'
          ? CONFIGURATION
          : await catalogs.metadata(accountId, { catalogId, metadata: question.metadata }, stop.signal)
      send(response, 200, text)
    } catch (error) {
      if (!(error instanceof OutsideRefused)) throw error
      const { reason, message } = error
      const isMissing = reason === 'missing' && question.of === 'metadata'
      fail(response, {
        status: STATUS[reason],
        message: sentence(message),
        ...(isMissing && { type: TYPE[question.metadata.of] }),
      })
    }
  }

  const before =
    Number(await readFile(portFile, 'utf8').catch((error: unknown) => noneIfUnreadable(error))) || 0
  const open = (port: number): Promise<Server> =>
    listening(port, (request, response) => {
      answer(request, response).catch((error: unknown) => {
        log.error({ err: error }, 'a cluster got no answer about a catalog')
        fail(response, { status: 500, message: 'The service could not answer.' })
      })
    })
  // That of the last time where it can be, for clusters that still run.
  const server = await open(before).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE') return open(0)
    throw error
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  await writePrivate(portFile, String(port))

  return {
    url: `http://127.0.0.1:${port}`,
    /** From now on, who has this token gets what the account has. */
    admit: (token: string, accountId: string): void => void accounts.set(digestOf(token), accountId),
    dismiss: (token: string): void => void accounts.delete(digestOf(token)),
    async close(): Promise<void> {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

const sentence = (message: string): string => `${message.slice(0, 1).toUpperCase()}${message.slice(1)}.`

function send(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(text)
}

interface Failure {
  readonly status: number
  readonly message: string
  /** As the protocol calls it. */
  readonly type?: string
}

function fail(response: ServerResponse, { status, message, type = 'ServiceFailureException' }: Failure) {
  send(response, status, JSON.stringify({ error: { message, type, code: status } }))
}

async function listening(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(answer)
  server.maxConnections = MOST_CONNECTIONS
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}
