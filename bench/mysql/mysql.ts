import { setTimeout as sleep } from 'node:timers/promises'
import type { ChannelClient } from '../channel-client.ts'
import { atLeast, atMost, type Figure, type Goal, type Measured } from '../figures.ts'
import { processes } from '../processes.ts'
import { percentile } from '../statistics.ts'
import { timed } from '../stopwatch.ts'
import { addUsers } from '../testing/more-users.ts'
import type { Workshop } from '../workshop.ts'
import { readAll } from './command-line.ts'
import { connect, connectAll, endAll, type Endpoint, endpointOf, readByDriver } from './endpoint.ts'
import { startMariadb } from './mariadb-server.ts'

const WARM_UPS = 2_000
const RUNS = 1_000
const CONNECTS = 20
const POINTS = 100_000
const ROWS = 1_000_000
const STREAMS = 3
const IDLE = { users: 5, each: 200 }
const BUSY = { users: 4, each: 50 }

interface Part {
  readonly figures: readonly Figure[]
  readonly goals: readonly Goal[]
  readonly notes?: readonly string[]
}

const NONE = Number.NaN
const median = (times: readonly number[]): number => percentile([...times], 0.5)

/** The smallest statement, and one row by its key with a prepared statement, of a connection that is open. */
async function smallOnes({ peer }: Workshop, endpoint: Endpoint): Promise<Part> {
  const client = await connect(endpoint)
  await client.query(
    `create or replace table points as select i as id, concat('point ', i) as name from range(${POINTS}) t(i)`,
  )
  const times = { one: [] as number[], peer: [] as number[], point: [] as number[] }
  for (let run = 0; run < WARM_UPS + RUNS; run++) {
    const one = await timed(() => client.query('select 1'))
    const inProcess = await timed(() => peer.run('select 1'))
    const point = await timed(() => client.execute('select name from points where id = ?', [run]))
    if (run < WARM_UPS) continue
    times.one.push(one)
    times.peer.push(inProcess)
    times.point.push(point)
  }
  await client.end()
  const [one, inProcess, point] = [median(times.one), median(times.peer), median(times.point)]
  return {
    figures: [
      { label: 'select 1, p50', product: one, peer: inProcess },
      { label: 'select 1, p99', product: percentile(times.one, 0.99), peer: percentile(times.peer, 0.99) },
      { label: 'prepared point query, p50', product: point, peer: one },
    ],
    goals: [
      atMost('select 1, p50 above DuckDB in process, ms', one - inProcess, 2),
      atMost('prepared point query, times of select 1', point / one, 1.5),
    ],
  }
}

async function connects(endpoint: Endpoint): Promise<Part> {
  const times: number[] = []
  for (let run = 0; run < CONNECTS; run++)
    times.push(
      await timed(async () => {
        const client = await connect(endpoint)
        await client.query('select 1')
        client.destroy()
      }),
    )
  const found = median(times)
  return {
    figures: [{ label: 'connect to first row, TLS, p50', product: found, peer: NONE }],
    goals: [atMost('connect to first row, ms', found, 30)],
  }
}

const COLUMNS = 'id, name, amount, made, n'

/** In the engine's words, since MySQL's have no rows out of nothing. */
const OURS = `set sql_dialect = engine; create or replace table million as select i as id, 'customer ' || lpad(cast(i as varchar), 8, '0') as name,
  cast(i / 100 as decimal(18,2)) as amount, timestamp '2026-01-01' + to_seconds(i) as made, cast(i % 1000 as integer) as n
  from range(${ROWS}) t(i)`

const THEIRS = `create table million (id bigint, name varchar(40), amount decimal(18,2), made datetime(6), n int);
  insert into million select seq, concat('customer ', lpad(seq, 8, '0')), seq / 100,
  timestamp('2026-01-01') + interval seq second, seq % 1000 from seq_0_to_${ROWS - 1}`

/** A million rows to the command line, in turn with a MariaDB that has the same rows. */
async function bulk(workshop: Workshop, endpoint: Endpoint): Promise<Part> {
  const mariadb = await startMariadb(workshop)
  try {
    await readAll(endpoint, OURS)
    await readAll(mariadb, THEIRS, 'bench')
    const times = { ours: [] as number[], theirs: [] as number[] }
    for (let run = 0; run <= STREAMS; run++) {
      const ours = await timed(() => readAll(endpoint, `select ${COLUMNS} from million`))
      const theirs = await timed(() => readAll(mariadb, `select ${COLUMNS} from million`, 'bench'))
      if (run === 0) continue
      times.ours.push(ours)
      times.theirs.push(theirs)
    }
    const [ours, theirs] = [median(times.ours), median(times.theirs)]
    const byDriver = await bulkByDriver(endpoint, mariadb)
    return {
      figures: [
        { label: `${ROWS} rows to the mariadb command line, against MariaDB`, product: ours, peer: theirs },
        { label: `${ROWS} rows to mysql2, against MariaDB`, product: byDriver.ours, peer: byDriver.theirs },
      ],
      goals: [
        atLeast('rows a second to the command line, times of MariaDB', theirs / ours, 1),
        atLeast('rows a second to mysql2, times of MariaDB', byDriver.theirs / byDriver.ours, 1),
      ],
    }
  } finally {
    await mariadb.stop()
  }
}

/** The same to a driver, which makes objects of the rows. */
async function bulkByDriver(ours: Endpoint, theirs: Endpoint): Promise<{ ours: number; theirs: number }> {
  const times = { ours: [] as number[], theirs: [] as number[] }
  for (let run = 0; run < STREAMS; run++) {
    times.ours.push(await timed(() => readByDriver(ours, `select ${COLUMNS} from million`)))
    times.theirs.push(await timed(() => readByDriver(theirs, `select ${COLUMNS} from million`, 'bench')))
  }
  return { ours: median(times.ours), theirs: median(times.theirs) }
}

/** Beside another user, in a warehouse of its own: those who share one share its slots, and wait for them. */
async function besideStreams(product: ChannelClient, endpoint: Endpoint): Promise<Part> {
  await product.run('CREATE WAREHOUSE beside')
  await product.run('SET WAREHOUSE beside')
  const over = new AbortController()
  const streams = Promise.all(
    Array.from({ length: 4 }, () => readAll(endpoint, `select ${COLUMNS} from million`)),
  ).finally(() => over.abort())
  const times: number[] = []
  while (!over.signal.aborted) {
    times.push(await timed(() => product.run('select 1')))
    await sleep(10)
  }
  await streams
  await product.run('SET WAREHOUSE default_warehouse')
  const found = percentile(times, 0.99)
  return {
    figures: [{ label: 'select 1 on the channel beside four streams, p99', product: found, peer: NONE }],
    goals: [atMost('select 1 on the channel beside four streams, p99, ms', found, 100)],
  }
}

/** Of the server and of the process that speaks the protocol, in megabytes. */
async function memoryOf(pid: number): Promise<number> {
  const own = (await processes()).filter(
    (one) => one.pid === pid || (one.parent === pid && one.command.includes('mysql-door')),
  )
  return own.reduce((sum, { rssBytes }) => sum + rssBytes, 0) / 1024 ** 2
}

async function many({ running }: Workshop, endpoints: readonly Endpoint[]): Promise<Part> {
  const before = await memoryOf(running.pid)
  const idle = await connectAll(endpoints.slice(0, IDLE.users), IDLE.each)
  const taken = (await memoryOf(running.pid)) - before
  await endAll(idle)
  const busy = await connectAll(endpoints.slice(0, BUSY.users), BUSY.each)
  const times: number[] = []
  for (let round = 0; round < 5; round++)
    await Promise.all(busy.map(async (client) => times.push(await timed(() => client.query('select 1')))))
  await endAll(busy)
  const found = percentile(times, 0.99)
  return {
    figures: [
      { label: `${idle.length} idle connections, MB`, product: taken, peer: NONE },
      { label: `select 1 of ${busy.length} connections at once, p99`, product: found, peer: NONE },
    ],
    goals: [
      atMost('memory of 1,000 idle connections, MB', taken, 200),
      atMost('select 1 of 200 connections at once, p99, ms', found, 100),
    ],
  }
}

/** Programs by the MySQL protocol. */
export async function benchMysql(workshop: Workshop): Promise<Measured> {
  const { dataDirectory, running, product } = workshop
  const endpoint = await endpointOf(dataDirectory, running.signIn)
  const users = await addUsers(dataDirectory, running.signIn, IDLE.users)
  const endpoints = await Promise.all(users.map((user) => endpointOf(dataDirectory, user)))
  const parts = [
    await smallOnes(workshop, endpoint),
    await connects(endpoint),
    // Before the streams, which leave memory behind that is given back some time later.
    await many(workshop, endpoints),
    await bulk(workshop, endpoint),
    await besideStreams(product, endpoints[0] ?? endpoint),
  ]
  return {
    title: 'programs by the MySQL protocol',
    peer: 'in process, or as said',
    figures: parts.flatMap(({ figures }) => figures),
    goals: parts.flatMap(({ goals }) => goals),
    notes: parts.flatMap(({ notes = [] }) => notes),
  }
}
