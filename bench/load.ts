import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { callAs } from '@boathouse/client'
import { load } from '@boathouse/contract'
import { afterStates, beginLoad, handOver, lookedAt } from './file-loads.ts'
import { atLeast, atMost, type Measured } from './figures.ts'
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

/** A CSV file into a new table, against DuckDB that reads it directly into one. */
export async function benchLoad({ login, product, peer, scratch, running }: Workshop): Promise<Measured> {
  const rows = rowsFor(Number(process.env['BENCH_LOAD_MB'] ?? 1000))
  const file = join(scratch, 'load.csv')
  await peer.run(`COPY (SELECT i AS id, i % 1000 AS kind, (i * 1.25)::DECIMAL(18,2) AS price, 'name of number ' || i AS name,
    TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS at FROM range(${rows}) t(i)) TO '${file}' (FORMAT csv, HEADER)`)
  const { size } = await stat(file)
  const memory = watchMemory(running.pid)
  const times: Record<'product' | 'peer' | 'upload' | 'look', number[]> = {
    product: [],
    peer: [],
    upload: [],
    look: [],
  }
  for (let run = 0; run < RUNS; run++) {
    const tableName = `loaded_${run}`
    let uploadId = ''
    times.upload.push(await timed(async () => (uploadId = await handOver(login, file))))
    let inspection: Awaited<ReturnType<typeof lookedAt>> | undefined
    times.look.push(await timed(async () => (inspection = await lookedAt(login, uploadId))))
    if (!inspection) throw new Error('Nobody looked at the file.')
    const found = inspection
    let taskId = ''
    times.product.push(
      await timed(async () => {
        taskId = await beginLoad(login, { uploadId, inspection: found, tableName })
        const { state, error } = await afterStates(login, taskId, ['queued', 'running'])
        if (state !== 'finished') throw new Error(error)
      }),
    )
    times.peer.push(await timed(() => peer.run(`CREATE TABLE ${tableName} AS FROM read_csv('${file}')`)))
    const counts = [await product.run(`SELECT count(*) FROM ${tableName}`), [[String(rows)]]]
    if (JSON.stringify(counts[0]) !== JSON.stringify(counts[1])) throw new Error('Rows are missing.')
    await callAs(login, load.drop, { taskId })
    await product.run(`DROP TABLE ${tableName}`)
    await peer.run(`DROP TABLE ${tableName}`)
  }
  const { before, most } = await memory.stop()
  await rm(file)
  const [productMs, peerMs] = [median(times.product), median(times.peer)]
  return {
    title: `a CSV file of ${Math.round(size / 1e6)} MB, ${rows} rows × 5 columns, median of ${RUNS} runs`,
    peer: 'read_csv',
    figures: [{ label: 'loading it into a new table', product: productMs, peer: peerMs }],
    goals: [
      atLeast('speed against DuckDB reading it directly', peerMs / productMs, 0.8),
      atMost('growth of the server, MiB', (most - before) / MIB, FLAT_MIB),
    ],
    notes: [
      `The server had ${Math.round(before / MIB)} MiB before and ${Math.round(most / MIB)} MiB at most, uploads included.`,
      `Handing it over took ${Math.round(median(times.upload))} ms, finding out the types of all of it ${Math.round(median(times.look))} ms.`,
    ],
  }
}
