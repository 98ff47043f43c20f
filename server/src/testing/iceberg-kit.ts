import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { SERVER_DIRECTORY } from './server-directory.ts'
import { BUCKET, found, type S3Server } from './outside-kit.ts'

/** A folder with PyIceberg's packages; null where it is missing, and tests that need it are skipped. */
export const PYICEBERG = found('BOATHOUSE_TEST_PYICEBERG', /^pyiceberg-core-[\d.]+$/)

export interface MadeTables {
  readonly namespaces: readonly (readonly string[])[]
  /** Metadata, as PyIceberg has written it, by namespace and name; numbers as they are written. */
  readonly tables: Readonly<Record<string, string>>
}

/** Real tables, made by PyIceberg in the bucket of a real S3 server. */
export async function makeTables({ endpoint, account }: S3Server): Promise<MadeTables> {
  const script = join(SERVER_DIRECTORY, 'src', 'testing', 'iceberg-tables.py')
  const args = [script, endpoint, account.accessKey, account.secretKey, BUCKET]
  const { stdout } = await promisify(execFile)('python3', args, {
    env: { ...process.env, PYTHONPATH: PYICEBERG ?? '' },
    maxBuffer: 64 * 1024 * 1024,
  })
  return JSON.parse(stdout) as MadeTables
}

export const CLIENT = 'reader:s3cret'

export interface CatalogDoor {
  readonly url: string
  /** Every question that it was asked, by method and path. */
  readonly asked: string[]
  /** Answers in place of the door when it says so. */
  instead: ((request: IncomingMessage, response: ServerResponse) => boolean) | null
  /** Sent with every table when the client asks for keys. */
  vended: Readonly<Record<string, string>>
  /** Tokens that were given so far are no longer good. */
  endTokens(): void
  stop(): Promise<void>
}

interface DoorOptions extends MadeTables {
  readonly vended?: Readonly<Record<string, string>>
}

function json(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(body)
}
const refuse = (response: ServerResponse, code: number) =>
  json(response, code, JSON.stringify({ error: { message: 'secret words of the door', type: 'X', code } }))

function page<T>(all: readonly T[], url: URL): { some: readonly T[]; next: string | null } {
  const begin = Number(url.searchParams.get('pageToken') || 0)
  return { some: all.slice(begin, begin + 2), next: begin + 2 < all.length ? String(begin + 2) : null }
}

/**
 * Speaks as much of Iceberg REST as reading takes, over tables that are real: for what no real server does on request, such as
 * tokens that end, slowness and nonsense. It wants a token of the client and gives lists in pages of two.
 */
export async function startCatalogDoor({
  namespaces,
  tables,
  vended = {},
}: DoorOptions): Promise<CatalogDoor> {
  const asked: string[] = []
  let tokens = new Set<string>()
  let count = 0
  const door: Pick<CatalogDoor, 'instead' | 'vended'> = { instead: null, vended }

  async function giveToken(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(await text(request))
    const client = `${form.get('client_id')}:${form.get('client_secret')}`
    if (client !== CLIENT || form.get('grant_type') !== 'client_credentials') return refuse(response, 401)
    const token = `token-${++count}`
    tokens.add(token)
    json(response, 200, JSON.stringify({ access_token: token, token_type: 'bearer', expires_in: 3600 }))
  }

  function answer(
    path: string,
    { url, isVended }: { url: URL; isVended: boolean },
    response: ServerResponse,
  ): void {
    if (path === '/v1/config')
      return url.searchParams.get('warehouse') === 'harbour'
        ? json(response, 200, JSON.stringify({ defaults: {}, overrides: { prefix: 'wh/1' } }))
        : refuse(response, 404)
    if (path === '/v1/wh/1/namespaces') {
      const parent = url.searchParams.get('parent')?.split('\u001f') ?? []
      const below = namespaces.filter(
        (one) => one.length === parent.length + 1 && parent.every((part, at) => one[at] === part),
      )
      const { some, next } = page(below, url)
      return json(response, 200, JSON.stringify({ namespaces: some, 'next-page-token': next }))
    }
    const [, namespace = '', name] =
      /^\/v1\/wh\/1\/namespaces\/([^/]+)\/tables(?:\/([^/]+))?$/
        .exec(path)
        ?.map((part) => part && decodeURIComponent(part)) ?? []
    const parts = namespace.split('\u001f')
    if (name === undefined) {
      const prefix = `${namespace}.`
      const names = Object.keys(tables).filter((key) => key.startsWith(prefix))
      const { some, next } = page(names, url)
      const identifiers = some.map((key) => ({ namespace: parts, name: key.slice(prefix.length) }))
      return json(response, 200, JSON.stringify({ identifiers, 'next-page-token': next }))
    }
    const metadata = tables[`${namespace}.${name}`]
    if (metadata === undefined) return refuse(response, 404)
    const config = JSON.stringify(isVended ? door.vended : {})
    json(response, 200, `{"metadata-location":"x","metadata":${metadata},"config":${config}}`)
  }

  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://door')
    asked.push(`${request.method} ${url.pathname}`)
    if (door.instead?.(request, response)) return
    const path = url.pathname.replace(/^\/iceberg/, '')
    if (path === '/v1/oauth/tokens') return void giveToken(request, response)
    if (request.method !== 'GET') return refuse(response, 405)
    if (!tokens.has((request.headers.authorization ?? '').replace('Bearer ', '')))
      return refuse(response, 401)
    const isVended = request.headers['x-iceberg-access-delegation'] === 'vended-credentials'
    answer(path, { url, isVended }, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return Object.assign(door, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/iceberg`,
    asked,
    endTokens: () => void (tokens = new Set()),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}
