import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import {
  type AskedFiles,
  type FilePage,
  keyInTable,
  type Outside,
  OutsideRefused,
  type OutsideTable,
  type TablePage,
  type WantedObject,
} from '../kernel/outside.ts'

/** Files of catalogs in the memory of a test, in pages of two, and what was asked for. */
export class MemoryOutside implements Outside {
  readonly asked: string[] = []
  /** Why nothing is given right now. */
  refuses: OutsideRefused | null = null
  /** Called before a file is read. */
  beforeRead: ((key: string) => Promise<void>) | null = null
  private readonly catalogs = new Map<string, Map<string, Buffer>>()

  put(catalogId: string, files: Readonly<Record<string, string | Uint8Array>>): void {
    const catalog = this.catalogs.get(catalogId) ?? new Map<string, Buffer>()
    for (const [key, content] of Object.entries(files)) catalog.set(key, Buffer.from(content))
    this.catalogs.set(catalogId, catalog)
  }

  remove(catalogId: string, key: string): void {
    this.catalogs.get(catalogId)?.delete(key)
  }

  async list(catalogId: string, after: string | null) {
    if (this.refuses) throw this.refuses
    const catalog = this.catalogs.get(catalogId)
    if (!catalog) throw new OutsideRefused('missing', 'there is no such catalog')
    const keys = [...catalog.keys()].toSorted()
    const begin = Number(after ?? 0)
    const objects = keys.slice(begin, begin + 2).map((key) => {
      const bytes = catalog.get(key) ?? Buffer.alloc(0)
      return { key, size: bytes.length, etag: etagOf(bytes), changedAt: new Date(0) }
    })
    return { objects, next: begin + 2 < keys.length ? String(begin + 2) : null }
  }

  /** Tables that another server would keep, by catalog. */
  readonly kept = new Map<string, { databases: string[]; tables: OutsideTable[] }>()

  async tables(catalogId: string, after: string | null): Promise<TablePage> {
    if (this.refuses) throw this.refuses
    const catalog = this.kept.get(catalogId)
    if (!catalog) throw new OutsideRefused('missing', 'there is no such catalog')
    const begin = Number(after ?? 0)
    const next = begin + 2 < catalog.tables.length ? String(begin + 2) : null
    return {
      databases: catalog.databases,
      tables: catalog.tables.slice(begin, begin + 2),
      ignored: [],
      next,
    }
  }

  /** Those of one table, by the names that `put` gave them; its values are parts such as `day=1`. */
  async files(catalogId: string, { database, name }: AskedFiles): Promise<FilePage> {
    this.asked.push(`files ${catalogId} ${database}.${name}`)
    if (this.refuses) throw this.refuses
    const under = keyInTable({ database, name }, '')
    const files = [...(this.catalogs.get(catalogId) ?? [])].flatMap(([key, bytes]) => {
      if (!key.startsWith(under)) return []
      const values = key.split('/').flatMap((part) => part.split('=').slice(1))
      return [{ key, size: bytes.length, etag: etagOf(bytes), changedAt: new Date(0), values }]
    })
    return { files, next: null }
  }

  async read(catalogId: string, { key, etag, range }: WantedObject, stop: AbortSignal) {
    this.asked.push(`${catalogId} ${key}`)
    const stopped = once(stop, 'abort').then(() => {
      throw new OutsideRefused('unreachable', 'nobody waits for it')
    })
    stopped.catch(() => undefined)
    await Promise.race([this.beforeRead?.(key), stopped])
    if (this.refuses) throw this.refuses
    const bytes = this.catalogs.get(catalogId)?.get(key)
    if (!bytes) throw new OutsideRefused('missing', 'it is not there')
    if (etag !== '' && etagOf(bytes) !== etag)
      throw new OutsideRefused('changed', 'it has changed since it was listed')
    const part = range ? bytes.subarray(range.first, range.last + 1) : bytes
    return { length: part.length, body: Readable.from([part]) }
  }
}

const etagOf = (bytes: Buffer): string => `"${createHash('md5').update(bytes).digest('hex')}"`
