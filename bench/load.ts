import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { callAs } from '@boathouse/client'
import { load } from '@boathouse/contract'
import { cpuSeconds } from './cpu-time.ts'
import { afterStates, beginLoad, handOver, lookedAt } from './file-loads.ts'
import { atMost, type Measured } from './figures.ts'
import { watchMemory } from './memory-watch.ts'
import { median } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const RUNS = 3
const MIB = 1024 ** 2
const FLAT_MIB = 64
/** Of one line of the file. */
const LINE_BYTES = 62

const rowsFor = (megabytes: number): number => Math.round((megabytes * 1e6) / LINE_BYTES)

interface Times {
  /** From the first byte that is sent to the rows in the table. */
  readonly all: number
  readonly upload: number
  /** Until the columns were known, from the first byte on. */
  readonly look: number
  readonly load: number
}

/** As somebody does in the console who chooses to load while the file is still arriving. */
async function loadFile({ login }: Workshop, file: string, tableName: string): Promise<Times> {
  const start = performance.now()
  const since = () => performance.now() - start
  const { uploadId, begun, whole } = await handOver(login, file)
  const uploaded = whole.then(since)
  await begun
  const inspection = await lookedAt(login, uploadId)
  const look = since()
  const upload = await uploaded
  const taskId = await beginLoad(login, { uploadId, inspection, tableName })
  const { state, error } = await afterStates(login, taskId, ['queued', 'running'])
  if (state !== 'finished') throw new Error(error)
  const all = since()
  await callAs(login, load.drop, { taskId })
  return { all, upload, look, load: all - Math.max(upload, look) }
}

/** A CSV file into a new table, against DuckDB that reads it directly into one. */
export async function benchLoad(workshop: Workshop): Promise<Measured> {
  const { product, peer, scratch, running } = workshop
  const rows = rowsFor(Number(process.env['BENCH_LOAD_MB'] ?? 1000))
  const file = join(scratch, 'load.csv')
  await peer.run(`COPY (SELECT i AS id, i % 1000 AS kind, (i * 1.25)::DECIMAL(18,2) AS price, 'name of number ' || i AS name,
    TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS at FROM range(${rows}) t(i)) TO '${file}' (FORMAT csv, HEADER)`)
  const { size } = await stat(file)
  const memory = watchMemory(running.pid)
  const times: Times[] = []
  const peers: number[] = []
  const cpu = { product: 0, peer: 0 }
  for (let run = 0; run < RUNS; run++) {
    const tableName = `loaded_${run}`
    const before = await cpuSeconds(running.pid)
    times.push(await loadFile(workshop, file, tableName))
    cpu.product += (await cpuSeconds(running.pid)) - before
    const own = process.cpuUsage()
    peers.push(await timed(() => peer.run(`CREATE TABLE ${tableName} AS FROM read_csv('${file}')`)))
    const { user, system } = process.cpuUsage(own)
    cpu.peer += (user + system) / 1e6
    const counts = [await product.run(`SELECT count(*) FROM ${tableName}`), [[String(rows)]]]
    if (JSON.stringify(counts[0]) !== JSON.stringify(counts[1])) throw new Error('Rows are missing.')
    await product.run(`DROP TABLE ${tableName}`)
    await peer.run(`DROP TABLE ${tableName}`)
  }
  const { before, most } = await memory.stop()
  await rm(file)
  const of = (part: keyof Times): number => median(times.map((one) => one[part]))
  const peerMs = median(peers)
  return {
    title: `a CSV file of ${Math.round(size / 1e6)} MB, ${rows} rows × 5 columns, median of ${RUNS} runs`,
    peer: 'read_csv',
    figures: [
      { label: 'from the first byte to the rows', product: of('all'), peer: peerMs },
      { label: 'loading it, once it has arrived', product: of('load'), peer: peerMs },
    ],
    goals: [
      atMost('from the first byte to the rows, times DuckDB reading it directly', of('all') / peerMs, 2),
      atMost('growth of the server, MiB', (most - before) / MIB, FLAT_MIB),
    ],
    notes: [
      `The server had ${Math.round(before / MIB)} MiB before and ${Math.round(most / MIB)} MiB at most, uploads included.`,
      `It had arrived after ${Math.round(of('upload'))} ms, and its columns were known after ${Math.round(of('look'))} ms.`,
      `Processor time of all processes: ${(cpu.product / RUNS).toFixed(1)} s each, of DuckDB alone ${(cpu.peer / RUNS).toFixed(1)} s.`,
    ],
  }
}
