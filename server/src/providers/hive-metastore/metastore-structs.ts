import { Partition, Table } from '../hive/table-answers.ts'
import { nonsense, type Struct, type Value } from './thrift-message.ts'

/** Structs of a metastore by the numbers of their fields, as hive_metastore.thrift has them. */
const structIn = (value: Value | undefined): Struct => {
  if (value instanceof Map) return value as Struct
  if (value === undefined) return new Map()
  throw nonsense('not the one that was asked for')
}

const columnsIn = (value: Value | undefined): unknown[] | undefined =>
  Array.isArray(value)
    ? (value as readonly Value[]).map((one) => {
        const column = structIn(one)
        return { Name: column.get(1), Type: column.get(2) }
      })
    : undefined

const wordsIn = (value: Value | undefined): unknown =>
  value instanceof Map ? Object.fromEntries(value as ReadonlyMap<string, Value>) : undefined

function storageIn(value: Value | undefined): unknown {
  if (value === undefined) return undefined
  const storage = structIn(value)
  const serde = structIn(storage.get(7))
  return {
    Columns: columnsIn(storage.get(1)),
    Location: storage.get(2),
    InputFormat: storage.get(3),
    SerdeInfo: { SerializationLibrary: serde.get(2), Parameters: wordsIn(serde.get(3)) },
  }
}

export function tableIn(value: Value): Table {
  const table = structIn(value)
  const read = Table.safeParse({
    Name: table.get(1),
    StorageDescriptor: storageIn(table.get(7)),
    PartitionKeys: columnsIn(table.get(8)),
    Parameters: wordsIn(table.get(9)),
    TableType: table.get(12),
  })
  if (!read.success) throw nonsense('no table')
  return read.data
}

export function partitionIn(value: Value): Partition {
  const partition = structIn(value)
  const read = Partition.safeParse({
    Values: partition.get(1),
    StorageDescriptor: storageIn(partition.get(6)),
  })
  if (!read.success) throw nonsense('no partition')
  return read.data
}
