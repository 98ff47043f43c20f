import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** What a browser loads of the built console, in bytes after gzip. */

interface Chunk {
  readonly bytes: number
  /** Loaded with it. */
  readonly imports: readonly string[]
  /** Loaded when they are needed. */
  readonly lazy: readonly string[]
}

export interface Bundle {
  readonly chunks: ReadonlyMap<string, Chunk>
  /** What the page itself names. */
  readonly entry: readonly string[]
  readonly cssBytes: number
  readonly textOf: (chunk: string) => string
}

const STATIC_IMPORT = /(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g
const LAZY_IMPORT = /\bimport\(\s*["'`]\.\/([\w.-]+\.js)["'`]/g

const gzipBytes = (file: string): number => gzipSync(readFileSync(file), { level: 9 }).length
const found = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map((match) => match[1] ?? '')

function readChunk(file: string): Chunk {
  const text = readFileSync(file, 'utf8')
  return { bytes: gzipBytes(file), imports: found(text, STATIC_IMPORT), lazy: found(text, LAZY_IMPORT) }
}

export function readBundle(dist: string): Bundle {
  const assets = join(dist, 'assets')
  const names = readdirSync(assets)
  const page = readFileSync(join(dist, 'index.html'), 'utf8')
  return {
    chunks: new Map(
      names.filter((name) => name.endsWith('.js')).map((name) => [name, readChunk(join(assets, name))]),
    ),
    entry: found(page, /(?:src|href)="\/assets\/([^"]+\.js)"/g),
    cssBytes: names
      .filter((name) => name.endsWith('.css'))
      .reduce((total, name) => total + gzipBytes(join(assets, name)), 0),
    textOf: (chunk) => readFileSync(join(assets, chunk), 'utf8'),
  }
}

/** The chunks and everything that comes with them. */
export function withImports({ chunks }: Bundle, names: Iterable<string>): Set<string> {
  const reached = new Set<string>()
  const open = [...names]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    const chunk = chunks.get(name)
    if (!chunk) throw new Error(`${name} is named by another part of the console but was not built.`)
    open.push(...chunk.imports)
  }
  return reached
}

export const lazyOf = ({ chunks }: Bundle, names: Iterable<string>): string[] => [
  ...new Set([...names].flatMap((name) => chunks.get(name)?.lazy ?? [])),
]

/** A route's chunk, by the name of its source. */
export function chunkOf({ chunks }: Bundle, source: string): string {
  const name = [...chunks.keys()].find((file) => file.replace(/-[\w-]{8}\.js$/, '') === source)
  if (!name) throw new Error(`No chunk of ${source} was built.`)
  return name
}

export const bytesOf = ({ chunks }: Bundle, names: Iterable<string>): number =>
  [...names].reduce((total, name) => total + (chunks.get(name)?.bytes ?? 0), 0)
