import { type OutsideReason, OutsideRefused } from '../../kernel/outside.ts'
import type { Partition, Table } from '../hive/table-answers.ts'
import { FarTooMuch, type TableKeeper } from '../hive/table-keeper.ts'
import {
  connectMetastore,
  LONGEST_ANSWER,
  type MetastoreConnection,
  type MetastoreNetwork,
} from './metastore-connection.ts'
import { partitionIn, tableIn } from './metastore-structs.ts'
import { type Call, nonsense, type Struct, type Value } from './thrift-message.ts'

/** An answer has all that is asked for, so that little is asked for at once. */
const TABLES_AT_ONCE = 20
const PARTITIONS_AT_ONCE = 200
const MOST_TABLES = 10_000

const LABEL = 'the Hive metastore'
/** Without it, a metastore gives no table that it manages itself, not even its name. */
const KNOWS_INSERT_ONLY_TABLES = { struct: { 1: { i32s: [2] } } } as const

/** Fields of a result with which a metastore says that something is not there. */
const MISSING: Readonly<Record<string, readonly number[]>> = {
  get_table_objects_by_name: [3],
  get_table_objects_by_name_req: [3],
  get_partition_names: [1],
  get_partitions_by_names: [2],
}

class UnknownCall extends OutsideRefused {}

/** What a call gives; nothing of what a metastore says of a failure is repeated. */
async function asked(connection: MetastoreConnection, call: Call): Promise<Value> {
  const answer = await connection.ask(call)
  if (answer.kind === 'failure') {
    const message = `it does not answer ${call.name}`
    throw answer.isUnknownCall ? new UnknownCall('refused', message) : new OutsideRefused('refused', message)
  }
  const given = answer.fields.get(0)
  if (given !== undefined) return given
  const isMissing = MISSING[call.name]?.some((id) => answer.fields.has(id)) ?? false
  const [reason, message]: readonly [OutsideReason, string] = isMissing
    ? ['missing', `${LABEL} does not have it`]
    : ['refused', `it reports an error for ${call.name}`]
  throw new OutsideRefused(reason, message)
}

function listIn(value: Value | undefined): readonly Value[] {
  if (!Array.isArray(value)) throw nonsense('not the one that was asked for')
  return value as readonly Value[]
}

const namesIn = (value: Value): string[] =>
  listIn(value).map((name) => {
    if (typeof name !== 'string' || name === '') throw nonsense('not the one that was asked for')
    return name
  })

async function someTables(
  connection: MetastoreConnection,
  database: string,
  names: readonly string[],
): Promise<Table[]> {
  const ask = async (): Promise<readonly Value[]> => {
    try {
      const request = { struct: { 1: database, 2: names, 3: KNOWS_INSERT_ONLY_TABLES } }
      const answer = await asked(connection, {
        name: 'get_table_objects_by_name_req',
        fields: { 1: request },
      })
      return listIn(answer instanceof Map ? (answer as Struct).get(1) : undefined)
    } catch (error) {
      if (!(error instanceof UnknownCall)) throw error
      // Before Hive 2.3.
      return listIn(
        await asked(connection, { name: 'get_table_objects_by_name', fields: { 1: database, 2: names } }),
      )
    }
  }
  return (await ask()).map(tableIn)
}

const parts = <T>(all: readonly T[], most: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, at) => all.slice(at * most, (at + 1) * most))

/** A Hive metastore, asked by Thrift. It has no words but those that read. */
export function createMetastoreKeeper(hiveHost: string, network: MetastoreNetwork): TableKeeper {
  async function* during<T>(
    stop: AbortSignal,
    work: (connection: MetastoreConnection) => AsyncIterable<T>,
  ): AsyncGenerator<T> {
    const connection = connectMetastore(hiveHost, network, stop)
    try {
      yield* work(connection)
    } finally {
      connection.close()
    }
  }

  return {
    label: LABEL,
    whenEmpty: `${LABEL} has no databases`,
    longestAnswer: LONGEST_ANSWER,

    async databases(stop) {
      const found = during(stop, async function* (connection) {
        yield namesIn(await asked(connection, { name: 'get_all_databases', fields: {} }))
      })
      for await (const names of found) return names
      return []
    },

    tables: (database, stop) =>
      during(stop, async function* (connection) {
        const names = namesIn(await asked(connection, { name: 'get_all_tables', fields: { 1: database } }))
        if (names.length > MOST_TABLES) throw new FarTooMuch(`${MOST_TABLES} tables`)
        for (const some of parts(names, TABLES_AT_ONCE)) yield await someTables(connection, database, some)
      }),

    async table({ database, name }, stop) {
      const found = during(stop, async function* (connection) {
        yield* await someTables(connection, database, [name])
      })
      for await (const table of found) return table
      throw new OutsideRefused('missing', `${LABEL} does not have it`)
    },

    partitions: ({ database, name: table }, most, stop) =>
      during<readonly Partition[]>(stop, async function* (connection) {
        const of = { 1: database, 2: table }
        const all = await asked(connection, {
          name: 'get_partition_names',
          fields: { ...of, 3: { i16: -1 } },
        })
        const names = namesIn(all)
        if (names.length > most) throw new FarTooMuch(`${most} partitions`)
        for (const some of parts(names, PARTITIONS_AT_ONCE)) {
          const answer = await asked(connection, {
            name: 'get_partitions_by_names',
            fields: { ...of, 3: some },
          })
          yield listIn(answer).map(partitionIn)
        }
      }),
  }
}
