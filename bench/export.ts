import { join } from 'node:path'
import { callAs } from '@boathouse/client'
import { query } from '@boathouse/contract'
import { atLeast, atMost, type Measured } from './figures.ts'
import { watchMemory } from './memory-watch.ts'
import { median } from './statistics.ts'
import { timed } from './stopwatch.ts'
import type { Workshop } from './workshop.ts'

const ROWS = 1_000_000
const RUNS = 5
const MIB = 1024 ** 2
/** Less than the file has: memory that grew with the rows would show. */
const FLAT_MIB = 32

const TABLE = `CREATE TABLE exported AS SELECT i AS id, i % 1000 AS kind, i * 1.25 AS price,
  'name of number ' || i AS name, TIMESTAMP '2024-01-01' + INTERVAL (i) SECOND AS at FROM range(${ROWS}) t(i)`

async function fetchAll(url: URL): Promise<number> {
  const response = await fetch(url)
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += (chunk as Uint8Array).length
  return bytes
}

/** A kept result as a CSV file, without running the statement again, against DuckDB's own COPY. */
export async function benchExport(workshop: Workshop): Promise<Measured> {
  const { product, peer, login, scratch, running } = workshop
  await product.run(TABLE)
  await peer.run(TABLE)
  await product.run(`SET sql_select_limit = ${ROWS}`)
  const kept = await product.ask('SELECT * FROM exported')
  await product.run('SET sql_select_limit = DEFAULT')
  if (!kept.resultKept) throw new Error('The rows are not kept.')
  const file = join(scratch, 'peer.csv')
  const makeFile = () => callAs(login, query.exportResult, { queryId: kept.queryId, format: 'csv' })
  // The first of each is not counted; before it the rows may still be on their way to the disk.
  const { url, sizeBytes } = await makeFile()
  await fetchAll(new URL(url, login.url))
  const memory = watchMemory(running.pid)
  const times: Record<'product' | 'peer' | 'download', number[]> = { product: [], peer: [], download: [] }
  for (let run = 0; run < RUNS; run++) {
    let made = { url: '' }
    times.product.push(await timed(async () => (made = await makeFile())))
    times.peer.push(await timed(() => peer.run(`COPY exported TO '${file}' (FORMAT csv, HEADER)`)))
    times.download.push(await timed(() => fetchAll(new URL(made.url, login.url))))
  }
  const { before, most } = await memory.stop()
  const [productMs, peerMs] = [median(times.product), median(times.peer)]
  return {
    title: `${ROWS} rows × 5 columns to CSV, median of ${RUNS} runs`,
    peer: 'COPY',
    figures: [
      { label: `making the file of ${Math.round(sizeBytes / MIB)} MiB`, product: productMs, peer: peerMs },
    ],
    goals: [
      atLeast('speed against COPY', peerMs / productMs, 0.8),
      atMost('growth of the server, MiB', (most - before) / MIB, FLAT_MIB),
    ],
    notes: [
      `The server had ${Math.round(before / MIB)} MiB before and ${Math.round(most / MIB)} MiB at most, downloads included.`,
      `Fetching the file took ${Math.round(median(times.download))} ms.`,
    ],
  }
}
