import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { signIn } from '@boathouse/client'
import { benchCancel } from './cancel.ts'
import { benchCatalogLists } from './catalog-lists.ts'
import { openChannel } from './channel-client.ts'
import { fetchSqlpad } from './consoles/sqlpad-package.ts'
import { benchExport } from './export.ts'
import { isMet, type Measured } from './figures.ts'
import { benchGuard } from './guard.ts'
import { benchHistory } from './history.ts'
import { openInProcess, settingsOf } from './in-process.ts'
import { benchLoad } from './load.ts'
import { benchManyChannels } from './many-channels.ts'
import { benchMysql } from './mysql/mysql.ts'
import { benchNeighbours } from './neighbours.ts'
import { benchRefresh } from './refresh.ts'
import { asTable, writeResult, type BenchResult } from './report.ts'
import { benchResume } from './resume.ts'
import { benchSelectOne } from './select-one.ts'
import { findRepository, startProduct, type RunningProduct } from './start-product.ts'
import { benchStreamLoad } from './stream-load.ts'
import { benchTpchLike } from './tpch-like.ts'
import type { Workshop } from './workshop.ts'

/** Each against something real in the same run. */
const BENCHMARKS: Readonly<Record<string, (workshop: Workshop) => Promise<Measured>>> = {
  'select-one': benchSelectOne,
  guard: benchGuard,
  'many-channels': benchManyChannels,
  cancel: benchCancel,
  neighbours: benchNeighbours,
  resume: benchResume,
  export: benchExport,
  load: benchLoad,
  'stream-load': benchStreamLoad,
  refresh: benchRefresh,
  'catalog-lists': benchCatalogLists,
  'tpch-like': benchTpchLike,
  history: benchHistory,
  mysql: benchMysql,
  // What drives a browser is loaded for it alone.
  consoles: async (workshop) => (await import('./consoles/consoles.ts')).benchConsoles(workshop),
}

/** What a benchmark needs from outside is fetched before the first one, so that none is lost because a line is down. */
const FETCHES: Readonly<Record<string, () => Promise<unknown>>> = {
  consoles: () => fetchSqlpad(findRepository()),
}

function chosen(): string[] {
  const names = Object.keys(BENCHMARKS)
  const only = process.env['BENCH_ONLY']?.split(',') ?? names
  const unknown = only.find((name) => !names.includes(name))
  if (unknown !== undefined)
    throw new Error(`BENCH_ONLY: there is no benchmark "${unknown}". Choose of ${names.join(', ')}.`)
  return only
}

const load = (): number => loadavg()[0] ?? 0

async function measure(workshop: Workshop): Promise<BenchResult['measured']> {
  const measured: Record<string, Measured & { loadBefore: number }> = {}
  for (const name of chosen()) {
    const run = BENCHMARKS[name]
    if (!run) continue
    console.log(`Measuring ${name} ...`)
    const loadBefore = load()
    measured[name] = { ...(await run(workshop)), loadBefore }
  }
  return measured
}

async function measureIn(
  directory: string,
  running: RunningProduct,
): Promise<Omit<BenchResult, 'loadBefore'>> {
  const login = await signIn(running.signIn)
  const settings = await settingsOf(login)
  const scratch = join(directory, 'scratch')
  await mkdir(scratch)
  const product = await openChannel(login)
  const peer = await openInProcess(join(directory, 'peer.duckdb'), settings)
  try {
    const [row] = await peer.run('SELECT version()')
    const dataDirectory = join(directory, 'data')
    const measured = await measure({ running, dataDirectory, login, product, peer, settings, scratch })
    return { settings: { ...settings, duckdb: row?.[0] ?? 'unknown' }, measured }
  } finally {
    await peer.close()
    await product.close()
  }
}

async function main(): Promise<void> {
  for (const name of chosen()) await FETCHES[name]?.()
  const loadBefore = load()
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-bench-'))
  try {
    // Started by root, the product runs its parts as other users, who must be able to pass through.
    await chmod(directory, 0o711)
    console.log('Starting Boathouse ...')
    const running = await startProduct({ dataDirectory: join(directory, 'data') })
    let measured: Omit<BenchResult, 'loadBefore'>
    try {
      measured = await measureIn(directory, running)
    } finally {
      await running.stop()
    }
    const result = { loadBefore, ...measured }
    console.log(`\n${asTable(result)}`)
    console.log(`Written to ${await writeResult(join(findRepository(), 'bench', 'results'), result)}`)
    if (!Object.values(result.measured).every(({ goals }) => goals.every(isMet))) process.exitCode = 1
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
