import { expect, test } from 'vitest'
import type { IcebergTable } from '../../../kernel/iceberg.ts'
import { avroBytes, avroFile, avroLong } from './avro-for-tests.ts'
import { filesOf } from './manifests.ts'

const TABLE: IcebergTable = {
  bucket: 'bucket',
  roots: ['t'],
  columns: [{ id: 1, name: 'n', type: 'long' }],
  identities: { 0: [] },
  hasNameMapping: false,
  manifestList: 't/list',
}

const record = (name: string, fields: Readonly<Record<string, unknown>>) => ({
  type: 'record',
  name,
  fields: Object.entries(fields).map(([field, type]) => ({ name: field, type })),
})

const LIST = record('manifest_file', { manifest_path: 'string', content: 'int', partition_spec_id: 'int' })
const MANIFEST = record('manifest_entry', {
  status: 'int',
  data_file: record('r2', {
    content: 'int',
    file_path: 'string',
    file_format: 'string',
    file_size_in_bytes: 'long',
    content_offset: ['null', 'long'],
  }),
})

const [ADDED, DELETED] = [1, 2]
const [DATA, POSITIONS, EQUALITY] = [0, 1, 2]

interface Entry {
  readonly manifest?: number
  readonly status?: number
  readonly content?: number
  readonly format?: string
  readonly offset?: number
}

/** What is made of a table whose snapshot has this one file. */
async function readingOf({ status = ADDED, content = DATA, format = 'PARQUET', offset, ...rest }: Entry) {
  const { manifest: kind = content === DATA ? 0 : 1 } = rest
  const list = [avroBytes('s3://bucket/t/m'), avroLong(kind), avroLong(0)]
  const entry = [
    ...[status, content].map(avroLong),
    ...['s3://bucket/t/f', format].map(avroBytes),
    avroLong(9),
    ...(offset === undefined ? [0] : [1, offset]).map(avroLong),
  ]
  const files: Readonly<Record<string, Buffer>> = {
    't/list': avroFile(LIST, { count: 1, block: Buffer.concat(list) }),
    't/m': avroFile(MANIFEST, { count: 1, block: Buffer.concat(entry) }),
  }
  const read = (path: string) => Promise.resolve(files[path] ?? Buffer.alloc(0))
  const { data, deletes } = await filesOf({ table: TABLE, read })
  return { data: data.length, deletes: deletes.length }
}

test.each([
  [{}, { data: 1, deletes: 0 }],
  [{ content: POSITIONS }, { data: 0, deletes: 1 }],
  [{ status: DELETED }, { data: 0, deletes: 0 }],
  [
    { status: DELETED, content: EQUALITY },
    { data: 0, deletes: 0 },
  ],
  [
    { status: DELETED, content: POSITIONS, format: 'PUFFIN' },
    { data: 0, deletes: 0 },
  ],
])('%j is read', async (file, files) => {
  expect(await readingOf(file)).toEqual(files)
})

test.each([
  [{ content: EQUALITY }, 'deleted by their values (equality deletes), which this engine does not apply'],
  [{ content: EQUALITY, manifest: 0 }, 'equality deletes'],
  [{ content: POSITIONS, format: 'PUFFIN' }, 'deletion vectors, which this engine does not apply'],
  [{ content: POSITIONS, offset: 4 }, 'deletion vectors'],
  [{ content: POSITIONS, format: 'AVRO' }, 'it has files in the format AVRO, and Parquet is read'],
  [{ format: 'ORC' }, 'it has files in the format ORC, and Parquet is read'],
  [{ content: POSITIONS, manifest: 0 }, 'what its manifests say cannot be understood'],
  [{ content: DATA, manifest: 1 }, 'what its manifests say cannot be understood'],
  [{ content: 3 }, 'what its manifests say cannot be understood'],
])('%j is refused, and no row of its table is read without it', async (file, why) => {
  await expect(readingOf(file)).rejects.toThrow(why)
})
