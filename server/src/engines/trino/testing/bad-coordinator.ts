import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Cluster } from '../../engine/cluster-space.ts'

/** What is answered to a request: a body, or whatever a bad day brings. */
export type Reaction = (request: Asked, response: ServerResponse) => void

interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface PlayedCluster {
  readonly cluster: Cluster
  readonly url: string
  readonly asked: Asked[]
  /** Reacts to the next requests, one after the other; the last of them also to all that come later. */
  play(...reactions: readonly Reaction[]): void
  lose(reason: string): void
}

/** A coordinator that does what a test says, for days that a real one has seldom. */
export async function playCluster(): Promise<PlayedCluster> {
  const asked: Asked[] = []
  let reactions: readonly Reaction[] = []
  const server = createServer((request, response) => {
    void (async () => {
      const body = await bodyOf(request)
      const one = { method: request.method ?? '', path: request.url ?? '', headers: request.headers, body }
      asked.push(one)
      const [next, ...others] = reactions
      if (others.length > 0) reactions = others
      if (next) next(one, response)
      else response.writeHead(500).end()
    })()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let lose: ((reason: string) => void) | undefined
  const lost = new Promise<string>((resolve) => (lose = resolve))
  const cluster: Cluster = {
    url,
    headersFor: (user) => ({ 'x-trino-user': user }),
    addressOf: (link) => link,
    catalogs: ['lake'],
    whyNoCatalog: (name) => (name === 'late' ? 'The catalog late comes with the next start.' : null),
    requireWorkers: () => Promise.resolve(),
    lost,
    resize: () => Promise.resolve(),
    nodes: () => [],
    cpuMs: () => Promise.resolve(0),
    stop: () => Promise.resolve(),
  }
  return {
    cluster,
    url,
    asked,
    play: (...next) => void (reactions = next),
    lose: (reason) => lose?.(reason),
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

export const status =
  (code: number, headers: Record<string, string> = {}): Reaction =>
  (_, response) =>
    void response.writeHead(code, headers).end('no')

export const text =
  (body: string): Reaction =>
  (_, response) =>
    void response.end(body)

/** The line is cut before anything was answered. */
export const cut: Reaction = (_, response) => void response.socket?.destroy()

/** It never answers. */
export const silent: Reaction = () => undefined

interface PlayedAnswer {
  readonly next?: string
  readonly columns?: readonly { readonly name: string; readonly type: string }[]
  readonly data?: string
  readonly updateType?: string
  readonly updateCount?: number
  readonly error?: object
  readonly headers?: Record<string, string>
}

/** An answer as the protocol has it; `next` is the path of the next one. */
export const answer =
  ({ next, columns, data, headers = {}, ...more }: PlayedAnswer): Reaction =>
  ({ headers: sent }, response) => {
    const fields = {
      id: 'q_1',
      stats: { state: 'RUNNING', processedRows: 7, progressPercentage: 50 },
      ...(next && { nextUri: `http://${sent.host}${next}` }),
      ...(columns && { columns }),
      ...more,
    }
    const json = JSON.stringify(fields)
    response.writeHead(200, headers).end(data ? `${json.slice(0, -1)},"data":${data}}` : json)
  }
