import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openChannel } from './channel-client.ts'
import { openInProcess, settingsOf } from './in-process.ts'
import { asTable, writeResult, type BenchResult } from './report.ts'
import { benchSelectOne } from './select-one.ts'
import { signIn } from './signed-call.ts'
import type { SqlRunner } from './sql-runner.ts'
import { findRepository, startProduct } from './start-product.ts'
import { benchTpchLike } from './tpch-like.ts'

function readScale(): number {
  const scale = Number(process.env['BENCH_SCALE'] ?? '0.1')
  if (!(scale > 0))
    throw new Error(`BENCH_SCALE must be a number above 0, not "${process.env['BENCH_SCALE']}".`)
  return scale
}

async function compare(product: SqlRunner, peerPath: string): Promise<Omit<BenchResult, 'loadBefore'>> {
  const scale = readScale()
  const settings = await settingsOf(product)
  const peer = await openInProcess(peerPath, settings)
  try {
    const [row] = await peer.run('SELECT version()')
    console.log('Measuring select 1 ...')
    const selectOne = await benchSelectOne(product, peer)
    console.log(`Making data at scale ${scale} twice and measuring 22 queries ...`)
    const tpchLike = await benchTpchLike({ product, peer }, scale)
    return { settings: { ...settings, duckdb: row?.[0] ?? 'unknown' }, selectOne, tpchLike }
  } finally {
    await peer.close()
  }
}

async function measureIn(directory: string): Promise<BenchResult> {
  const [loadBefore = 0] = loadavg()
  console.log('Starting Boathouse ...')
  const running = await startProduct({ dataDirectory: join(directory, 'data') })
  try {
    const product = await openChannel(await signIn(running.signIn))
    const result = await compare(product, join(directory, 'peer.duckdb'))
    await product.close()
    return { loadBefore, ...result }
  } finally {
    await running.stop()
  }
}

async function main(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-bench-'))
  try {
    // Started by root, the product runs its parts as other users, who must be able to pass through.
    await chmod(directory, 0o711)
    const result = await measureIn(directory)
    console.log(`\n${asTable(result)}\n`)
    console.log(`Written to ${await writeResult(join(findRepository(), 'bench', 'results'), result)}`)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
