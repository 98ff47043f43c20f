import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { atLeast, atMost, type Measured } from './figures.ts'
import { watchMemory } from './memory-watch.ts'
import { median, percentile } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const RUNS = 3
const MIB = 1024 ** 2
const FLAT_MIB = 128
/** Of one line of the file, in CSV and in JSON. */
const LINE_BYTES = { csv: 62, json: 118 }
const COLUMNS = 'id BIGINT, kind BIGINT, price DECIMAL(18,2), name VARCHAR, moment TIMESTAMP'
const SMALL_SECONDS = 10

interface Answer {
  readonly Status: string
  readonly Message: string
  readonly TxnId: number
  readonly NumberLoadedRows: number
}

/** Sends bodies as a program does, over connections that stay open. */
function createSender({ running: { signIn } }: Pick<Workshop, 'running'>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 })
  const { accountId, username, password, url } = signIn
  const authorization = `Basic ${Buffer.from(`${accountId}.${username}:${password}`).toString('base64')}`

  async function put(
    table: string,
    headers: Record<string, string>,
    body: string | { file: string },
  ): Promise<Answer> {
    const sent = request(new URL(`/api/main/${table}/_stream_load`, url), {
      method: 'PUT',
      agent,
      headers: { authorization, ...headers },
    })
    const answered = new Promise<string>((resolve, reject) => {
      sent.once('error', reject)
      sent.once('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
        response.once('end', () => resolve(text))
      })
    })
    if (typeof body === 'string') sent.end(body)
    else await pipeline(createReadStream(body.file, { highWaterMark: 256 * 1024 }), sent)
    const answer = JSON.parse(await answered) as Answer
    if (answer.Status !== 'Success') throw new Error(answer.Message)
    return answer
  }

  return { put, close: () => agent.destroy() }
}

type Sender = ReturnType<typeof createSender>

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

/** Loads of one row at a steady rate, whatever becomes of those before; somebody else asks `select 1` meanwhile. */
async function measureSmall({ product }: Workshop, sender: Sender) {
  const rate = Number(process.env['BENCH_STREAM_RATE'] ?? 1000)
  await product.run('CREATE TABLE streamed_small (id BIGINT, name VARCHAR)')
  await sender.put('streamed_small', { column_separator: ',' }, '0,first\n')
  const times: number[] = []
  const transactions = new Set<number>()
  const running: Promise<void>[] = []
  const begun = performance.now()
  const count = rate * SMALL_SECONDS
  const others: number[] = []
  const over = new AbortController()
  const asking = (async () => {
    while (!over.signal.aborted) {
      others.push(await timed(() => product.run('select 1')))
      await sleep(20)
    }
  })()
  for (let at = 1; at <= count; at++) {
    const due = begun + (at * 1_000) / rate
    if (due > performance.now()) await sleep(due - performance.now())
    running.push(
      (async () => {
        const start = performance.now()
        const { TxnId } = await sender.put('streamed_small', { column_separator: ',' }, `${at},row\n`)
        times.push(performance.now() - start)
        transactions.add(TxnId)
      })(),
    )
  }
  await Promise.all(running)
  const seconds = (performance.now() - begun) / 1_000
  over.abort()
  await asking
  const found = await product.run('SELECT count(*) FROM streamed_small')
  if (found[0]?.[0] !== String(count + 1))
    throw new Error(`Rows are missing or doubled: ${found[0]?.[0]} of ${count + 1}.`)
  await product.run('DROP TABLE streamed_small')
  return {
    rate,
    seconds,
    p50: median(times),
    p99: percentile(times, 0.99),
    commits: transactions.size / seconds,
    others: percentile(others, 0.99),
  }
}

/** Data over HTTP: large bodies against DuckDB that copies the same file, and many small ones. */
export async function benchStreamLoad(workshop: Workshop): Promise<Measured> {
  const sender = createSender(workshop)
  const memory = watchMemory(workshop.running.pid)
  const csv = await measureLarge(workshop, sender, 'csv')
  const json = await measureLarge(workshop, sender, 'json')
  const { before, most } = await memory.stop()
  const small = await measureSmall(workshop, sender)
  sender.close()
  return {
    title: `stream load: large bodies, median of ${RUNS} runs, and ${small.rate} loads of one row each second`,
    peer: 'COPY FROM',
    figures: [csv, json],
    goals: [
      atLeast('CSV: speed against COPY FROM', csv.peer / csv.product, 0.8),
      atLeast('JSON lines: speed against COPY FROM', json.peer / json.product, 0.7),
      atMost('growth of the server with large bodies, MiB', (most - before) / MIB, FLAT_MIB),
      atMost('loads of one row, p99 ms', small.p99, 500),
      atMost('transactions each second', small.commits, 20),
      atMost('select 1 meanwhile, p99 ms', small.others, 100),
    ],
    notes: [
      `The server had ${Math.round(before / MIB)} MiB before and ${Math.round(most / MIB)} MiB at most.`,
      `${small.rate * SMALL_SECONDS} loads of one row took ${small.seconds.toFixed(1)} s, p50 ${Math.round(small.p50)} ms.`,
    ],
  }
}
