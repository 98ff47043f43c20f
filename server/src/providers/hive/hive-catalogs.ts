import { isOfTable } from '../../kernel/iceberg.ts'
import {
  keyInTable,
  OutsideRefused,
  type OutsideTable,
  type PartitionFile,
  tableInKey,
} from '../../kernel/outside.ts'
import { someAtOnce } from '../iceberg/names.ts'
import type { HiveCatalog, HiveCatalogs } from './hive-catalog.ts'
import { type CatalogParts, createKnownTables, FRESH_MS, missing, WALK_MS } from './known-tables.ts'
import { orderOf } from './names.ts'
import { nameOf, valuesOf } from './partitions.ts'

const TABLES_AT_ONCE = 50
/** The maximum of a page of tables, as text. */
const LONGEST_PAGE = 2 * 1024 * 1024

/** Text that is compressed in a way that engines do not read. */
const COMPRESSED = /\.(bz2|lzo|lz4|snappy|deflate|xz|zip|gzip)$/i

const isHidden = (name: string): boolean => name.split('/').some((part) => /^[._]/.test(part))

/** Where the next page of several folders begins: the number of the folder, and what its storage said. */
function walkIn(after: string | null): { at: number; token: string | null } {
  const [, at = '0', token = ''] = /^(\d{1,4}) (.*)$/s.exec(after ?? '') ?? []
  return { at: Number(at), token: token === '' ? null : token }
}

function openCatalog(parts: CatalogParts): HiveCatalog {
  const { buckets } = parts
  const { bucketPlace, namesNow, find, foldersNow, icebergOf, tableNow } = createKnownTables(parts)

  return {
    async tables(after, stop) {
      const { databases, tables, ignored } = await namesNow(after === null ? FRESH_MS : WALK_MS, stop)
      const rest = after === null ? tables : tables.filter((table) => orderOf(table) > after)
      const page: OutsideTable[] = []
      let { length } = JSON.stringify([databases, ignored])
      const isFull = () => page.length > 0 && length > LONGEST_PAGE
      for (let begin = 0; begin < rest.length && page.length < TABLES_AT_ONCE && !isFull();) {
        const some = await someAtOnce(rest.slice(begin, begin + 8), (table) => tableNow(table, stop))
        for (const table of some) {
          if (isFull()) break
          page.push(table)
          length += JSON.stringify(table).length
        }
        begin += some.length
      }
      const last = page.at(-1)
      return {
        databases,
        tables: page,
        ignored,
        next: last && page.length < rest.length ? orderOf(last) : null,
      }
    },

    async files({ after, ...asked }, stop) {
      const table = await find(asked, stop)
      if (typeof table.content === 'string' || table.content.kind !== 'files') throw missing()
      const isText = table.content.content.format.kind !== 'parquet'
      const of = await foldersNow(table, after === null ? FRESH_MS : WALK_MS, stop)
      const { at, token } = walkIn(after)
      const root = of.roots[at]
      if (!root) return { files: [], next: null }
      const listed = await buckets.list(
        { ...(await bucketPlace(root.bucket)), prefix: root.path },
        token,
        stop,
      )
      const files: PartitionFile[] = []
      for (const object of listed.objects) {
        const file = `${nameOf(root)}/${object.key}`
        const values = valuesOf(of, file)
        if (values === null || object.size === 0 || isHidden(object.key)) continue
        const [, packed] = (isText && COMPRESSED.exec(object.key)) || []
        if (packed !== undefined)
          throw new OutsideRefused('refused', `its files are compressed with ${packed.toLowerCase()}`)
        files.push({ ...object, key: keyInTable(asked, file), values })
      }
      const isLast = listed.next === null && at + 1 === of.roots.length
      return { files, next: isLast ? null : listed.next === null ? `${at + 1} ` : `${at} ${listed.next}` }
    },

    async fileOf(key, stop) {
      const wanted = tableInKey(key)
      if (!wanted) throw missing()
      const table = await find(wanted, stop)
      if (typeof table.content === 'string') throw new OutsideRefused('refused', table.content)
      if (table.content.kind === 'iceberg') {
        const content = await icebergOf(table.content.metadata, stop)
        if (typeof content === 'string' || !isOfTable(content, wanted.path)) throw missing()
        return { place: await bucketPlace(content.bucket), key: wanted.path }
      }
      const [bucket = '', ...path] = wanted.path.split('/')
      const isAtHome = wanted.path.startsWith(`${nameOf(table.content.home)}/`)
      // Partitions may lie elsewhere; then who keeps the tables has to say so.
      if (
        !isAtHome &&
        valuesOf(await foldersNow(table, Number.POSITIVE_INFINITY, stop), wanted.path) === null
      )
        throw missing()
      return { place: await bucketPlace(bucket), key: path.join('/') }
    },
  }
}

/** They are only read. */
export const createHiveCatalogs = (parts: Omit<CatalogParts, 'keeper' | 'storage'>): HiveCatalogs => ({
  open: (keeper, storage) => openCatalog({ ...parts, keeper, storage }),
})
