import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { MessageEnd } from '../providers/hive-metastore/message-end.ts'
import { TYPE } from '../providers/hive-metastore/thrift-message.ts'

/** Values as Thrift writes them, for tests that make answers of a metastore, or tables in a real one. */
export type Made =
  | string
  | number
  | { readonly texts: readonly string[] }
  | { readonly words: Readonly<Record<string, string>> }
  | { readonly structs: readonly MadeStruct[] }
  | { readonly struct: MadeStruct }
export type MadeStruct = Readonly<Record<number, Made | undefined>>

const i32 = (value: number): Buffer => {
  const bytes = Buffer.allocUnsafe(4)
  bytes.writeInt32BE(value)
  return bytes
}
const text = (value: string): Buffer => Buffer.concat([i32(Buffer.byteLength(value)), Buffer.from(value)])
const listOf = (type: number, values: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.of(type), i32(values.length), ...values])

function bytesOf(value: Made): readonly [number, Buffer] {
  if (typeof value === 'string') return [TYPE.text, text(value)]
  if (typeof value === 'number') return [TYPE.i32, i32(value)]
  if ('texts' in value) return [TYPE.list, listOf(TYPE.text, value.texts.map(text))]
  if ('structs' in value) return [TYPE.list, listOf(TYPE.struct, value.structs.map(structBytes))]
  if ('struct' in value) return [TYPE.struct, structBytes(value.struct)]
  const entries = Object.entries(value.words)
  const pairs = entries.flatMap(([key, word]) => [text(key), text(word)])
  return [TYPE.map, Buffer.concat([Buffer.of(TYPE.text, TYPE.text), i32(entries.length), ...pairs])]
}

function structBytes(struct: MadeStruct): Buffer {
  const fields = Object.entries(struct).flatMap(([id, value]) => {
    if (value === undefined) return []
    const [type, bytes] = bytesOf(value)
    const head = Buffer.of(type, 0, 0)
    head.writeInt16BE(Number(id), 1)
    return [head, bytes]
  })
  return Buffer.concat([...fields, Buffer.of(TYPE.stop)])
}

/** What is sent: 1 a call, 2 its answer, 3 that there is none. */
export const messageBytes = (kind: 1 | 2 | 3, name: string, struct: MadeStruct): Buffer =>
  Buffer.concat([i32(0x80010000 | kind | 0), text(name), i32(0), structBytes(struct)])

export const serdeOf = (name: string): string => `org.apache.hadoop.hive.${name}`

const columns = (all: Readonly<Record<string, string>>): Made => ({
  structs: Object.entries(all).map(([name, type]) => ({ 1: name, 2: type })),
})

export interface MadeStorage {
  readonly columns?: Readonly<Record<string, string>>
  readonly location: string
  readonly inputFormat?: string
  readonly serde?: string
  readonly serdeWords?: Readonly<Record<string, string>>
}

export interface MadeHiveTable extends MadeStorage {
  readonly partitions?: Readonly<Record<string, string>>
  readonly words?: Readonly<Record<string, string>>
  readonly type?: string
}

const PARQUET = serdeOf('ql.io.parquet.serde.ParquetHiveSerDe')

const storageStruct = (of: MadeStorage): MadeStruct => ({
  1: columns(of.columns ?? {}),
  2: of.location,
  3: of.inputFormat ?? 'org.apache.hadoop.mapred.TextInputFormat',
  4: 'org.apache.hadoop.hive.ql.io.HiveIgnoreKeyTextOutputFormat',
  6: 0,
  7: { struct: { 1: '', 2: of.serde ?? PARQUET, 3: { words: of.serdeWords ?? {} } } },
  8: { texts: [] },
  9: { structs: [] },
  10: { words: {} },
})

export const tableStruct = (database: string, name: string, of: MadeHiveTable): MadeStruct => ({
  1: name,
  2: database,
  3: 'harbour',
  4: 0,
  7: { struct: storageStruct(of) },
  8: columns(of.partitions ?? {}),
  9: { words: { EXTERNAL: 'TRUE', ...of.words } },
  12: of.type ?? 'EXTERNAL_TABLE',
})

export const partitionStruct = (
  database: string,
  name: string,
  { values, ...storage }: MadeStorage & { readonly values: readonly string[] },
): MadeStruct => ({
  1: { texts: values },
  2: database,
  3: name,
  6: { struct: storageStruct(storage) },
  7: { words: {} },
})

export interface MadeDatabase {
  readonly tables: Readonly<Record<string, MadeHiveTable>>
  /** By the names of tables, then as Hive names them: `day=2026-01-31`. */
  readonly partitions?: Readonly<Record<string, Readonly<Record<string, MadeStruct>>>>
}

/** Takes the place of the next answer. */
type Fault = (socket: Socket, name: string) => void

const nameIn = (message: Buffer): string => message.toString('utf8', 8, 8 + message.readInt32BE(4))

/** All texts in a call, in their order: names of a database, of tables, of partitions. */
function textsIn(message: Buffer): string[] {
  const found: string[] = []
  for (let at = 12 + message.readInt32BE(4); at + 4 < message.length;) {
    const length = message.readInt32BE(at)
    const value =
      length > 0 && at + 4 + length <= message.length ? message.toString('utf8', at + 4, at + 4 + length) : ''
    if (/^[\w=-]+$/.test(value)) {
      found.push(value)
      at += 4 + length
    } else at += 1
  }
  return found
}

/** A small metastore that gives what a test says; ends with the test. */
export async function startMetastore(databases: Readonly<Record<string, MadeDatabase>>) {
  const asked: string[] = []
  const faults: Fault[] = []

  function answerTo(message: Buffer): Buffer {
    const name = nameIn(message)
    const [database = '', ...names] = textsIn(message)
    const of = databases[database]
    const given = (value: Made) => messageBytes(2, name, { 0: value })
    if (name === 'get_all_databases') return given({ texts: Object.keys(databases) })
    if (!of) return messageBytes(2, name, { 3: { struct: { 1: `no ${database}` } } })
    if (name === 'get_all_tables') return given({ texts: Object.keys(of.tables) })
    if (name.startsWith('get_table_objects_by_name')) {
      const structs = names.flatMap((one) =>
        of.tables[one] ? [tableStruct(database, one, of.tables[one])] : [],
      )
      return given(name.endsWith('_req') ? { struct: { 1: { structs } } } : { structs })
    }
    const [table = '', ...wanted] = names
    const partitions = of.partitions?.[table] ?? {}
    if (name === 'get_partition_names') return given({ texts: Object.keys(partitions) })
    return given({ structs: wanted.flatMap((one) => (partitions[one] ? [partitions[one]] : [])) })
  }

  const server = createServer((socket) => {
    let bytes = Buffer.alloc(0)
    let end = new MessageEnd()
    socket.on('error', () => undefined)
    socket.on('data', (part) => {
      bytes = Buffer.concat([bytes, part])
      try {
        if (end.find(bytes) === null) return
      } catch {
        // As a metastore ends what does not speak Thrift.
        return void socket.destroy()
      }
      const message = bytes
      bytes = Buffer.alloc(0)
      end = new MessageEnd()
      const name = nameIn(message)
      asked.push(name)
      const fault = faults.shift()
      if (fault) fault(socket, name)
      else socket.write(answerTo(message))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked, faults }
}
