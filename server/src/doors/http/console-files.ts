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

interface BuiltFile {
  readonly type: string
  readonly etag: string
  /** Files whose name carries a hash of their content never change. */
  readonly isImmutable: boolean
  readonly plain: Buffer
  readonly gzip?: Buffer
  readonly brotli?: Buffer
}

export type ConsoleFiles = ReadonlyMap<string, BuiltFile>

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

function withFacts(page: Buffer, facts: PageFacts): Buffer {
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
  return Buffer.from(page.toString().replace('</head>', () => `${metas}</head>`))
}

/** The built console, read once: only built files can be requested, so no path leads anywhere else. */
export async function readConsoleFiles(directory: string, facts: PageFacts = {}): Promise<ConsoleFiles> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.map'))
  const built = await Promise.all(
    files.map(async (entry): Promise<[string, BuiltFile]> => {
      const file = join(entry.parentPath, entry.name)
      const path = `/${relative(directory, file).split(sep).join('/')}`
      const content = await readFile(file)
      return [path, buildFile(path, path === '/index.html' ? withFacts(content, facts) : content)]
    }),
  )
  return new Map(built)
}

function sendFile(request: FastifyRequest, reply: FastifyReply, file: BuiltFile) {
  reply
    .header('content-type', file.type)
    .header('etag', file.etag)
    .header('vary', 'accept-encoding')
    .header('cache-control', file.isImmutable ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (request.headers['if-none-match'] === file.etag) return reply.code(304).send()
  const accepted = request.headers['accept-encoding'] ?? ''
  if (file.brotli && /\bbr\b/.test(accepted)) return reply.header('content-encoding', 'br').send(file.brotli)
  if (file.gzip && /\bgzip\b/.test(accepted)) return reply.header('content-encoding', 'gzip').send(file.gzip)
  return reply.send(file.plain)
}

/** Serves the console: its files by name, and its page for every other address, which its router then reads. */
export function mountConsole(app: FastifyInstance, files: ConsoleFiles): void {
  const page = files.get('/index.html')
  for (const [path, file] of files)
    if (path !== '/index.html') app.get(path, (request, reply) => sendFile(request, reply, file))
  if (page) app.get('/*', (request, reply) => sendFile(request, reply, page))
}
