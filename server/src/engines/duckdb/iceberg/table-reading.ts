import { createHash } from 'node:crypto'
import type { IcebergTable } from '../../../kernel/iceberg.ts'
import { keyInTable, OutsideRefused, type OutsideTable, type ReadObject } from '../../../kernel/outside.ts'
import { readReport } from '../errors.ts'
import type { BrokenTable, WrittenTable } from '../folders/layout.ts'
import type { Mount } from '../outside/loopback.ts'
import type { OutsideFile } from '../outside/object-layout.ts'
import { requireNames } from './column-names.ts'
import { requireIds } from './file-ids.ts'
import { filesOf, type TableFile, TableRefused } from './manifests.ts'
import { readingOf } from './reading.ts'
import type { IcebergParts } from './iceberg-source.ts'

/** Of the manifests of a table, each. */
const LONGEST_MANIFEST = 64 * 1024 * 1024

export interface Known {
  readonly stamp: string
  readonly table: WrittenTable | BrokenTable
  readonly files: readonly (readonly [url: string, file: OutsideFile])[]
}

const cut = (cause?: unknown): OutsideRefused =>
  new OutsideRefused('unreachable', 'it has stopped in the middle', { cause })

/** Whole: a file of Avro that ends where a part of it ends would be taken for all of it. */
async function bytesOf({ body, length: announced }: ReadObject): Promise<Buffer> {
  const parts: Uint8Array[] = []
  let length = 0
  try {
    for await (const part of body as AsyncIterable<Uint8Array>) {
      length += part.length
      if (length > LONGEST_MANIFEST) throw new TableRefused('a manifest of it is far too long')
      parts.push(part)
    }
  } catch (error) {
    throw error instanceof TableRefused || error instanceof OutsideRefused ? error : cut(error)
  }
  if (length !== announced) throw cut()
  return Buffer.concat(parts)
}

const plain = (text: string): string => text.replace(/[^\w.-]/g, '_')

/** Reads the manifests of a table, and says by which statement DuckDB reads its files. */
export function createTableReading({
  id,
  outside,
  mount,
  mask,
  connect,
}: Pick<IcebergParts, 'outside' | 'connect'> & {
  readonly id: string
  readonly mount: Mount
  readonly mask: (text: string) => string
}) {
  const read = async (table: OutsideTable, path: string, stop: AbortSignal): Promise<Buffer> =>
    bytesOf(await outside.read(id, { key: keyInTable(table, path), etag: '', range: null }, stop))

  function named(
    table: OutsideTable,
    { path, location, size, sequence }: Pick<TableFile, 'path' | 'location' | 'size' | 'sequence'>,
  ) {
    const key = keyInTable(table, path)
    const digest = createHash('sha256').update(key).digest('hex').slice(0, 16)
    const file = `${digest}-${plain(path.split('/').at(-1) ?? '')}`
    const url = [mount.base, plain(table.database), plain(table.name), file].join('/')
    const found = { key, size, etag: '', changedAt: new Date(0), schema: table.database, name: table.name }
    return { url, location, sequence, found }
  }

  return async function describe(
    table: OutsideTable,
    content: IcebergTable,
    stop: AbortSignal,
  ): Promise<Omit<Known, 'stamp'>> {
    requireNames(content.columns)
    const found = await filesOf({
      table: content,
      async read(path, length) {
        const bytes = await read(table, path, stop)
        if (length !== null && bytes.length !== length)
          throw new TableRefused('a manifest of it is not as long as the list of them says')
        return bytes
      },
    })
    const data = found.data.map((file) => named(table, file))
    const deletes = found.deletes.map((file) => named(table, file))
    const none = named(table, { path: 'none', location: '', size: 0, sequence: 0n })
    const files = [none, ...data, ...deletes].map((file): [string, OutsideFile] => [file.url, file.found])
    const uncertain = found.data.flatMap((file, at) =>
      file.isTold ? [] : [{ url: data[at]?.url ?? '', identities: file.identities }],
    )
    if (uncertain.length > 0) {
      // They are looked into before the table is shown.
      mount.show(new Map([...mount.files, ...files]))
      await requireIds(connect, uncertain).catch((error: unknown) => {
        if (error instanceof TableRefused) throw error
        throw new OutsideRefused('unreachable', mask(readReport(error).message.split('\n')[0] ?? ''), {
          cause: error,
        })
      })
    }
    const select = readingOf({ columns: content.columns, data, deletes, none })
    const stamp = createHash('sha256').update(select).digest('hex')
    return { table: { database: table.database, table: table.name, select, stamp }, files }
  }
}
