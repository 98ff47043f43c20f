import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { cpuSeconds } from './cpu-time.ts'
import { atLeast, atMost, type Measured } from './figures.ts'
import { watchMemory } from './memory-watch.ts'
import { sendLoads } from './sent-loads.ts'
import { median, percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import { createSender, type Sender } from './stream-sender.ts'
import type { Workshop } from './workshop.ts'

const RUNS = 3
const MIB = 1024 ** 2
const FLAT_MIB = 128
/** Of one line of the file, in CSV and in JSON. */
const LINE_BYTES = { csv: 62, json: 118 }
const COLUMNS = 'id BIGINT, kind BIGINT, price DECIMAL(18,2), name VARCHAR, moment TIMESTAMP'
const SMALL_SECONDS = 10
/** Before them: code that runs for the first time is slower. */
const WARM_SECONDS = 3
const PARALLEL = 200

/** One body of many rows, against DuckDB's own COPY of the same file. */
async function measureLarge({ product, peer, scratch }: Workshop, sender: Sender, format: 'csv' | 'json') {
  const rows = Math.round((Number(process.env['BENCH_STREAM_MB'] ?? 1000) * 1e6) / LINE_BYTES[format])
  const file = join(scratch, `stream.${format}`)
  await peer.run(`COPY (SELECT i AS id, i % 1000 AS kind, (i * 1.25)::DECIMAL(18,2) AS price, 'name of number ' || i AS name,
    TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS moment FROM range(${rows}) t(i)) TO '${file}' (FORMAT ${format}${format === 'csv' ? ', HEADER false' : ''})`)
  const headers = format === 'csv' ? { column_separator: ',' } : { format: 'json' }
  const times = { product: [] as number[], peer: [] as number[] }
  for (let run = 0; run < RUNS; run++) {
    const table = `streamed_${format}_${run}`
    await product.run(`CREATE TABLE ${table} (${COLUMNS})`)
    await peer.run(`CREATE TABLE ${table} (${COLUMNS})`)
    times.product.push(
      await timed(async () => {
        const { NumberLoadedRows } = await sender.put(table, headers, { file })
        if (NumberLoadedRows !== rows) throw new Error(`Rows are missing: ${NumberLoadedRows} of ${rows}.`)
      }),
    )
    times.peer.push(await timed(() => peer.run(`COPY ${table} FROM '${file}' (FORMAT ${format})`)))
    await product.run(`DROP TABLE ${table}`)
    await peer.run(`DROP TABLE ${table}`)
  }
  const { size } = await stat(file)
  await rm(file)
  return {
    label: `${format.toUpperCase()} of ${Math.round(size / 1e6)} MB by one PUT`,
    product: median(times.product),
    peer: median(times.peer),
  }
}

/** What somebody else waits for `select 1` while this is done. */
async function othersDuring<Result>(
  { product }: Pick<Workshop, 'product'>,
  work: () => Promise<Result>,
): Promise<{ readonly result: Result; readonly others: number }> {
  const times: number[] = []
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      times.push(await timed(() => product.run('select 1')))
      await sleep(20)
    }
  })()
  try {
    return { result: await work(), others: percentile(times, 0.99) }
  } finally {
    over.abort()
    await asking
  }
}

const countOf = async (
  { product }: Pick<Workshop, 'product'>,
  table: string,
  rows: number,
): Promise<void> => {
  const found = await product.run(`SELECT count(*) FROM ${table}`)
  if (found[0]?.[0] !== String(rows))
    throw new Error(`Rows are missing or doubled: ${found[0]?.[0]} of ${rows}.`)
  await product.run(`DROP TABLE ${table}`)
}

/** Loads of one row at a steady rate, once all of it runs as it always does. */
async function measureSmall(workshop: Workshop, isLabelled: boolean) {
  const { product, running } = workshop
  const rate = Number(process.env['BENCH_STREAM_RATE'] ?? 1000)
  const table = 'streamed_small'
  await product.run(`CREATE TABLE ${table} (id BIGINT, name VARCHAR)`)
  const load = (label: string, seconds: number) =>
    sendLoads({
      signIn: running.signIn,
      table,
      count: rate * seconds,
      rate,
      rows: 1,
      label: isLabelled ? label : null,
    })
  await load('warm', WARM_SECONDS)
  const memory = watchMemory(running.pid)
  const cpu = await cpuSeconds(running.pid)
  const { result, others } = await othersDuring(workshop, () => load('small', SMALL_SECONDS))
  const { times, transactions, seconds } = result
  const cpuMs = ((await cpuSeconds(running.pid)) - cpu) * 1_000
  const { most } = await memory.stop()
  await countOf(workshop, table, rate * (WARM_SECONDS + SMALL_SECONDS))
  return {
    rate,
    seconds,
    p50: median(times),
    p99: percentile(times, 0.99),
    commits: transactions / seconds,
    others,
    mostBytes: most,
    cpuMsEach: cpuMs / (rate * SMALL_SECONDS),
  }
}

/** Many bodies of 1 MB at the same time. */
async function measureParallel(workshop: Workshop) {
  const { product, running } = workshop
  const [table, rows] = ['streamed_parallel', 10_000]
  await product.run(`CREATE TABLE ${table} (id BIGINT, name VARCHAR)`)
  const { result, others } = await othersDuring(workshop, () =>
    sendLoads({ signIn: running.signIn, table, count: PARALLEL, rate: null, rows, label: null }),
  )
  await countOf(workshop, table, PARALLEL * rows)
  return { seconds: result.seconds, others }
}

/** Data over HTTP: large bodies against DuckDB that copies the same file, and many small ones. */
export async function benchStreamLoad(workshop: Workshop): Promise<Measured> {
  const sender = createSender(workshop.running.signIn)
  const memory = watchMemory(workshop.running.pid)
  const csv = await measureLarge(workshop, sender, 'csv')
  const json = await measureLarge(workshop, sender, 'json')
  const parallel = await measureParallel(workshop)
  const { before, most } = await memory.stop()
  const small = await measureSmall(workshop, false)
  const labelled = await measureSmall(workshop, true)
  sender.close()
  return {
    title: `stream load: large bodies, median of ${RUNS} runs, and ${small.rate} loads of one row each second`,
    peer: 'COPY FROM',
    figures: [csv, json],
    goals: [
      atLeast('CSV: speed against COPY FROM', csv.peer / csv.product, 0.8),
      atLeast('JSON lines: speed against COPY FROM', json.peer / json.product, 0.7),
      atMost('growth of the server by large bodies, MiB', (most - before) / MIB, FLAT_MIB),
      atMost(
        'growth by small loads, after as many, MiB',
        (labelled.mostBytes - small.mostBytes) / MIB,
        FLAT_MIB,
      ),
      atMost('loads of one row, p99 ms', small.p99, 500),
      atMost('transactions each second', small.commits, 20),
      atMost('select 1 meanwhile, p99 ms', small.others, 100),
      atMost('loads of one row with labels, p99 ms', labelled.p99, 500),
      atMost('select 1 during 200 loads of 1 MB, p99 ms', parallel.others, 100),
    ],
    notes: [
      `The server had ${Math.round(before / MIB)} MiB before, ${Math.round(most / MIB)} MiB at most during large bodies, then ${Math.round(small.mostBytes / MIB)} and ${Math.round(labelled.mostBytes / MIB)} MiB during small ones.`,
      ...[small, labelled].map(
        ({ rate, seconds, p50, cpuMsEach }, at) =>
          `${rate * SMALL_SECONDS} loads of one row ${at === 0 ? 'without' : 'with'} labels took ${seconds.toFixed(1)} s, p50 ${Math.round(p50)} ms, ${cpuMsEach.toFixed(2)} ms of processor time each.`,
      ),
      `${PARALLEL} loads of 1 MB at once took ${parallel.seconds.toFixed(1)} s.`,
    ],
  }
}
