import { type ClientHttp2Session, type ClientHttp2Stream, connect } from 'node:http2'
import type { Duplex } from 'node:stream'
import {
  type FilePage,
  type ListedObject,
  type ObjectPage,
  type Outside,
  OUTSIDE_REASONS,
  type OutsideReason,
  OutsideRefused,
  type TablePage,
} from '../../../kernel/outside.ts'
import { LONGEST_PAGE, PATHS, REASON_HEADER, WINDOW } from './wire.ts'

const isReason = (text: unknown): text is OutsideReason =>
  (OUTSIDE_REASONS as readonly unknown[]).includes(text)

const hungUp = (): OutsideRefused => new OutsideRefused('unreachable', 'the service has hung up')

/** The beginning of an answer; rejects with an `OutsideRefused`. */
function begun(stream: ClientHttp2Stream): Promise<{ length: number }> {
  return new Promise((resolve, reject) => {
    stream.once('error', () => reject(hungUp()))
    stream.once('close', () => reject(hungUp()))
    stream.once('response', (headers) => {
      if (headers[':status'] === 200) return resolve({ length: Number(headers['content-length'] ?? 0) })
      const reason = headers[REASON_HEADER]
      textOf(stream).then(
        (message) => reject(new OutsideRefused(isReason(reason) ? reason : 'unreachable', message)),
        reject,
      )
    })
  })
}

async function textOf(stream: ClientHttp2Stream): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of stream as AsyncIterable<Buffer>) {
    length += part.length
    if (length > LONGEST_PAGE) throw new OutsideRefused('nonsense', 'its list is far too long')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

const asking = (catalog: string, after: string | null): Record<string, string> => ({
  catalog,
  ...(after !== null && { after }),
})

/** Times come as text. */
const withTimes = <T extends ListedObject>(objects: readonly T[]): T[] =>
  objects.map((one) => ({ ...one, changedAt: new Date(one.changedAt) }))

/** What the service reads for this engine, over the pipe that leads to it. */
export function askOutside(pipe: Duplex): Outside & { close(): void } {
  const session: ClientHttp2Session = connect('http://service', {
    createConnection: () => pipe,
    settings: { initialWindowSize: WINDOW.stream, enablePush: false },
  })
  session.once('connect', () => session.setLocalWindowSize(WINDOW.all))
  // With the service ends this process, by other means.
  session.on('error', () => undefined)
  // A process is not kept by what it could ask for.
  session.unref()

  function ask(path: string, asked: Record<string, string>, stop: AbortSignal): ClientHttp2Stream {
    if (session.closed || session.destroyed) throw hungUp()
    return session.request(
      { ':path': `${path}?${new URLSearchParams(asked).toString()}` },
      { endStream: true, signal: stop },
    )
  }

  async function pageOf(path: string, asked: Record<string, string>, stop: AbortSignal): Promise<unknown> {
    const stream = ask(path, asked, stop)
    await begun(stream)
    return JSON.parse(await textOf(stream))
  }

  return {
    async list(catalogId, after, stop) {
      const page = (await pageOf(PATHS.list, asking(catalogId, after), stop)) as ObjectPage
      return { ...page, objects: withTimes(page.objects) }
    },
    tables: async (catalogId, after, stop) =>
      (await pageOf(PATHS.tables, asking(catalogId, after), stop)) as TablePage,
    async files(catalogId, { database, name, after }, stop) {
      const asked = { ...asking(catalogId, after), database, name }
      const page = (await pageOf(PATHS.files, asked, stop)) as FilePage
      return { ...page, files: withTimes(page.files) }
    },
    async read(catalogId, { key, etag, range }, stop) {
      const bytes = range ? { first: String(range.first), last: String(range.last) } : {}
      const stream = ask(PATHS.read, { catalog: catalogId, key, etag, ...bytes }, stop)
      const { length } = await begun(stream)
      return { length, body: stream }
    },
    close: () => session.destroy(),
  }
}
