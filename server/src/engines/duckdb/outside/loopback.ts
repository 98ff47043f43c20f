import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { type Outside, type OutsideReason, OutsideRefused } from '../../../kernel/outside.ts'
import type { OutsideFile } from './object-layout.ts'

const ADDRESS = '127.0.0.1'

const STATUSES: Readonly<Record<OutsideReason, number>> = {
  missing: 404,
  changed: 412,
  refused: 403,
  unreachable: 504,
  nonsense: 502,
}

/** What DuckDB reads of a catalog. */
export interface Mount {
  /** Of the names of all of its files. */
  readonly base: string
  readonly files: ReadonlyMap<string, OutsideFile>
  /** From now on these and no others. */
  show(files: ReadonlyMap<string, OutsideFile>): void
  /** With the reason why a file could not be read, in place of the number that DuckDB tells. */
  explained(message: string): string
  close(): void
}

/** Where DuckDB reads files that lie outside: an address of its own process, in a network in which nobody else is. */
export interface Loopback {
  readonly address: string
  mount(catalogId: string): Mount
  /** Gives up what has been waited for since before this moment; by the clock of `performance`. */
  giveUp(before: number): void
  close(): Promise<void>
}

class Mounted {
  files: ReadonlyMap<string, OutsideFile> = new Map()
  /** By the names of files that could not be read the last time. */
  readonly faults = new Map<string, string>()
}

type Range = { readonly first: number; readonly last: number }

/** `undefined`: none is wanted; null: none that can be given. */
function rangeOf(header: string | undefined, size: number): Range | null | undefined {
  if (header === undefined) return undefined
  const [, first = '', last = ''] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header) ?? []
  if (first === '' || Number(first) >= size) return null
  const range = { first: Number(first), last: last === '' ? size - 1 : Math.min(Number(last), size - 1) }
  return range.first <= range.last ? range : null
}

const headersOf = ({ etag, changedAt }: OutsideFile): Record<string, string> => ({
  'accept-ranges': 'bytes',
  'last-modified': changedAt.toUTCString(),
  ...(etag !== '' && { etag }),
})

const HTTP_FAULT = /\bHTTP (?:GET|HEAD) error\b|\(HTTP \d{3}|ETag/i

export async function openLoopback(outside: Outside): Promise<Loopback> {
  const mounts = new Map<string, Mounted>()
  const waiting = new Map<AbortController, number>()
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, ADDRESS)
  await once(server, 'listening')
  // Nothing but the engine keeps its process.
  server.unref()
  const address = `http://${ADDRESS}:${(server.address() as AddressInfo).port}`

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? ''
    const mounted = mounts.get(path.split('/')[1] ?? '')
    const name = address + path
    const file = mounted?.files.get(name)
    if (!mounted || !file) return end(response, 404)
    if (request.method === 'HEAD')
      return end(response, 200, { ...headersOf(file), 'content-length': file.size })
    if (request.method !== 'GET') return end(response, 405)
    const range = rangeOf(request.headers.range, file.size)
    if (range === null) return end(response, 416)
    await send({ response, mounted, name, file, range: range ?? null })
  }

  async function send({
    response,
    mounted,
    name,
    file,
    range,
  }: {
    response: ServerResponse
    mounted: Mounted
    name: string
    file: OutsideFile
    range: Range | null
  }): Promise<void> {
    const stop = new AbortController()
    waiting.set(stop, performance.now())
    response.once('close', () => stop.abort())
    try {
      const { key, etag } = file
      const catalogId = new URL(name).pathname.split('/')[1] ?? ''
      const { length, body } = await outside.read(catalogId, { key, etag, range }, stop.signal)
      response.writeHead(range ? 206 : 200, {
        ...headersOf(file),
        'content-length': length,
        ...(range && { 'content-range': `bytes ${range.first}-${range.last}/${file.size}` }),
      })
      body.on('data', () => waiting.set(stop, performance.now()))
      await pipeline(body, response)
      mounted.faults.delete(name)
    } catch (error) {
      const refused =
        error instanceof OutsideRefused
          ? error
          : new OutsideRefused('unreachable', 'it has stopped in the middle')
      mounted.faults.set(name, refused.message)
      if (response.headersSent) response.destroy()
      else end(response, STATUSES[refused.reason])
    } finally {
      waiting.delete(stop)
    }
  }

  async function closeServer(): Promise<void> {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }

  let closed: Promise<void> | null = null
  return {
    address,
    mount(catalogId) {
      const mounted = new Mounted()
      mounts.set(catalogId, mounted)
      return {
        base: `${address}/${catalogId}`,
        get files() {
          return mounted.files
        },
        show(files) {
          mounted.files = files
          for (const name of mounted.faults.keys()) if (!files.has(name)) mounted.faults.delete(name)
        },
        explained(message) {
          if (!HTTP_FAULT.test(message)) return message
          for (const [name, why] of mounted.faults)
            if (message.includes(name)) return `The file ${name} cannot be read: ${why}.`
          return message
        },
        close: () => void mounts.delete(catalogId),
      }
    },
    giveUp(before) {
      for (const [stop, since] of waiting) if (since < before) stop.abort()
    },
    close: () => (closed ??= closeServer()),
  }
}

function end(response: ServerResponse, status: number, headers: Record<string, string | number> = {}): void {
  response.writeHead(status, { 'content-length': 0, ...headers })
  response.end()
}
