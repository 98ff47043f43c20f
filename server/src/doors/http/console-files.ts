import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join, relative, sep } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.txt': 'text/plain; charset=utf-8',
}
const COMPRESSIBLE = new Set(['.html', '.js', '.css', '.svg', '.json', '.webmanifest', '.txt'])

export interface BuiltFile {
  readonly type: string
  readonly etag: string
  /** Files whose name carries a hash of their content never change. */
  readonly isImmutable: boolean
  readonly plain: Buffer
  readonly gzip?: Buffer
  readonly brotli?: Buffer
}

export interface ConsoleFiles {
  /** By their path. */
  readonly files: ReadonlyMap<string, BuiltFile>
  /** The page for an address, which names the files that are needed there. */
  pageAt(path: string): BuiltFile | undefined
  /** The page of an embedded dashboard, which has nothing of the console but its charts. */
  readonly embeddedPage: BuiltFile | undefined
}

export const NO_CONSOLE: ConsoleFiles = { files: new Map(), pageAt: () => undefined, embeddedPage: undefined }

function buildFile(path: string, plain: Buffer): BuiltFile {
  const extension = extname(path)
  const file = {
    type: TYPES[extension] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(plain).digest('base64url').slice(0, 22)}"`,
    isImmutable: path.startsWith('/assets/'),
    plain,
  }
  if (!COMPRESSIBLE.has(extension) || plain.length < 512) return file
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length }
  return { ...file, gzip: gzipSync(plain, { level: 6 }), brotli: brotliCompressSync(plain, { params }) }
}

/** What the page itself passes to the console before its first call. */
export interface PageFacts {
  readonly centralUrl?: string | undefined
  /** Of this server, and on the central one those of others. */
  readonly regions?: {
    readonly own: { readonly regionId: string }
    readonly others: readonly { readonly regionId: string; readonly url: string }[]
  }
  readonly supportContact?: string | undefined
  readonly businessMailOnly?: boolean
  readonly skipPasswordRule?: boolean
  /** There is no mail server: mails are kept for the operator. */
  readonly keepsMails?: boolean
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

const meta = (name: string, content: string | undefined): string =>
  content ? `<meta name="${name}" content="${escapeHtml(content)}" />` : ''

function withFacts(page: string, facts: PageFacts): string {
  const { centralUrl, supportContact, businessMailOnly, skipPasswordRule, keepsMails } = facts
  const { own, others = [] } = facts.regions ?? {}
  const central = centralUrl && new URL(centralUrl).origin
  const hasOthers = central !== undefined || others.length > 0
  const metas =
    meta('boathouse-central-host', central) +
    meta('boathouse-region', hasOthers ? own?.regionId : undefined) +
    meta('boathouse-regions', others.map(({ regionId, url }) => `${regionId}=${url}`).join(' ')) +
    meta('boathouse-support', supportContact) +
    meta('boathouse-business-mail', businessMailOnly ? 'only' : undefined) +
    meta('boathouse-mail', keepsMails ? 'kept' : undefined) +
    meta('boathouse-password-rule', skipPasswordRule ? 'off' : undefined)
  return page.replace('</head>', () => `${metas}</head>`)
}

const PAGE = '/index.html'
const EMBEDDED_PAGE = '/embedded.html'
/** What each page is made of, by its address, or that below `/{region}/{aid}/`; the console's build writes it. */
const PAGE_FILES = '/page-files.json'
type PageFiles = Readonly<Record<string, readonly string[]>>

const LINKS: Readonly<Record<string, string>> = {
  '.js': 'rel="modulepreload" crossorigin',
  '.css': 'rel="stylesheet" crossorigin',
  '.woff2': 'rel="preload" as="font" type="font/woff2" crossorigin',
}

function withLinks(page: string, files: readonly string[]): string {
  const links = files
    .filter((file) => !page.includes(`"${file}"`))
    .map((file) => `<link ${LINKS[extname(file)]} href="${file}">`)
  return page.replace('</head>', () => `${links.join('')}</head>`)
}

const builtPage = (html: string): BuiltFile => buildFile(PAGE, Buffer.from(html))

function pageFinder(plain: string, pageFiles: PageFiles): ConsoleFiles['pageAt'] {
  const other = builtPage(plain)
  const pages = Object.entries(pageFiles)
    .map(([address, files]) => ({ address, page: builtPage(withLinks(plain, files)) }))
    .toSorted((one, next) => next.address.length - one.address.length)
  return (path) => {
    const belowAccount = `${path.split('/').slice(3).join('/')}/`
    const isAt = (address: string) => path === address || belowAccount.startsWith(`${address}/`)
    return pages.find(({ address }) => isAt(address))?.page ?? other
  }
}

/** The built console, read once: only built files can be requested, so no path leads anywhere else. */
export async function readConsoleFiles(directory: string, facts: PageFacts = {}): Promise<ConsoleFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const contents = new Map(
    await Promise.all(
      entries
        .filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
        .map(async (entry): Promise<[string, Buffer]> => {
          const file = join(entry.parentPath, entry.name)
          return [`/${relative(directory, file).split(sep).join('/')}`, await readFile(file)]
        }),
    ),
  )
  const page = contents.get(PAGE)
  if (!page) return NO_CONSOLE
  const pageFiles: PageFiles = JSON.parse(contents.get(PAGE_FILES)?.toString() ?? '{}')
  const embedded = contents.get(EMBEDDED_PAGE)
  const apart = [PAGE, EMBEDDED_PAGE, PAGE_FILES]
  const files = [...contents].filter(([path]) => !apart.includes(path))
  return {
    files: new Map(files.map(([path, content]) => [path, buildFile(path, content)])),
    pageAt: pageFinder(withFacts(page.toString(), facts), pageFiles),
    embeddedPage: embedded && buildFile(EMBEDDED_PAGE, embedded),
  }
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile) {
  reply
    .header('etag', file.etag)
    .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === file.etag)
    return reply.header('vary', 'accept-encoding').code(304).send()
  return sendContent(request, reply, file)
}

/** As the browser takes it. */
export function sendContent(request: FastifyRequest, reply: FastifyReply, file: BuiltFile) {
  reply.header('content-type', file.type).header('vary', 'accept-encoding')
  const accepted = request.headers['accept-encoding'] ?? ''
  if (file.brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

/** Serves the console: its files by name, and its page for every other address, which its router then reads. */
export function mountConsole(app: FastifyInstance, { files, pageAt }: ConsoleFiles): void {
  for (const [path, file] of files) app.get(path, (request, reply) => sendFile(request, reply, file))
  if (!pageAt('/')) return
  app.get('/*', (request, reply) => {
    const [path = '/'] = request.url.split('?')
    const page = pageAt(path)
    return page ? sendFile(request, reply, page) : reply.callNotFound()
  })
}
