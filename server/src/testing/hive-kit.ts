import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageEnd } from '../providers/hive-metastore/message-end.ts'
import { freePort } from './free-port.ts'
import {
  type Made,
  type MadeHiveTable,
  type MadeStorage,
  type MadeStruct,
  messageBytes,
  partitionStruct,
  tableStruct,
} from './metastore-server.ts'
import { found } from './outside-kit.ts'

/** The folder of its files; null where it, or a Java for it, is missing, and tests that need it are skipped. */
export const HIVE = found('BOATHOUSE_TEST_HIVE', /^hive-metastore-[\d.]+$/)

/** It has nothing with which it could read a bucket. */
const UNREAD: Made = { struct: { 1: { words: { DO_NOT_UPDATE_STATS: 'true' } } } }

const START_MS = 300_000

export interface HiveMetastore {
  readonly host: string
  createDatabase(name: string): Promise<void>
  createTable(database: string, name: string, table: MadeHiveTable): Promise<void>
  addPartition(
    database: string,
    table: string,
    partition: MadeStorage & { readonly values: readonly string[] },
  ): Promise<void>
  /** Its connections end, and nobody answers any more. */
  stop(): Promise<void>
}

const settingsIn = (directory: string): string =>
  `<configuration>${Object.entries({
    'metastore.warehouse.dir': `file://${directory}/warehouse`,
    'metastore.thrift.bind.host': '127.0.0.1',
    'metastore.schema.verification': 'false',
    'metastore.task.threads.always': '',
    'metastore.expression.proxy': 'org.apache.hadoop.hive.metastore.DefaultPartitionExpressionProxy',
    'datanucleus.schema.autoCreateAll': 'true',
    'javax.jdo.option.ConnectionURL': 'jdbc:derby:memory:tests;create=true',
    'javax.jdo.option.ConnectionDriverName': 'org.apache.derby.jdbc.EmbeddedDriver',
  })
    .map(([name, value]) => `<property><name>${name}</name><value>${value}</value></property>`)
    .join('')}</configuration>`

const of = (struct: MadeStruct): Made => ({ struct })

/** A real Hive metastore. It makes folders of its tables on this machine, and is then notified that they are in a bucket. */
export async function startHiveMetastore(): Promise<HiveMetastore> {
  const port = await freePort()
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-hive-'))
  await writeFile(join(directory, 'metastore-site.xml'), settingsIn(directory))
  const child = spawn(
    'java',
    [
      '-XX:TieredStopAtLevel=1',
      '-XX:+UseSerialGC',
      '-Xmx512m',
      '-cp',
      `${directory}:${join(HIVE ?? '', '*')}`,
      'org.apache.hadoop.hive.metastore.HiveMetaStore',
      '-p',
      String(port),
    ],
    { cwd: directory, stdio: 'ignore' },
  )
  const ended = once(child, 'exit')
  const ask = (name: string, fields: MadeStruct) => answered(port, messageBytes(1, name, fields), name)

  async function stop(): Promise<void> {
    child.kill('SIGKILL')
    await ended
    await rm(directory, { recursive: true, force: true })
  }

  const here = (name: string) => `file://${directory}/${name}`
  try {
    await untilItAnswers(() => ask('get_all_databases', {}), child)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    host: `127.0.0.1:${port}`,
    createDatabase: (name) =>
      ask('create_database', { 1: of({ 1: name, 2: '', 3: here(name), 4: { words: {} } }) }),
    async createTable(database, name, table) {
      const location = here(`${database}.${name}`)
      await ask('create_table', { 1: of(tableStruct(database, name, { ...table, location })) })
      const moved = of(tableStruct(database, name, table))
      await ask('alter_table_with_environment_context', { 1: database, 2: name, 3: moved, 4: UNREAD })
    },
    async addPartition(database, table, partition) {
      const location = here(`${database}.${table}.${partition.values.join('.')}`)
      await ask('add_partition', { 1: of(partitionStruct(database, table, { ...partition, location })) })
      const moved = of(partitionStruct(database, table, partition))
      await ask('alter_partition_with_environment_context', { 1: database, 2: table, 3: moved, 4: UNREAD })
    },
    stop,
  }
}

/** Fails with what it says, if that is no result. */
async function answered(port: number, message: Buffer, name: string): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  const end = new MessageEnd()
  let bytes = Buffer.alloc(0)
  try {
    socket.write(message)
    for await (const part of socket as AsyncIterable<Buffer>) {
      bytes = Buffer.concat([bytes, part])
      if (end.find(bytes) !== null) break
    }
  } finally {
    socket.destroy()
  }
  // Behind the name and the number comes the result, or how it failed: 1 and more.
  const field = bytes.length > 0 ? bytes.readInt16BE(Math.min(bytes.length - 2, 13 + name.length)) : -1
  const isEmpty = bytes.at(12 + name.length) === 0
  if (!isEmpty && field !== 0)
    throw new Error(`${name}: ${bytes.toString('utf8').replaceAll(/[^ -~]+/g, ' ')}`)
}

async function untilItAnswers(ask: () => Promise<void>, child: { exitCode: number | null }): Promise<void> {
  const deadline = Date.now() + START_MS
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (child.exitCode !== null || Date.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
  }
}
