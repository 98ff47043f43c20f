import { mkdir, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { join } from 'node:path'
import type { EngineSettings } from './in-process.ts'
import type { SelectOneResult } from './select-one.ts'
import type { TpchLikeResult } from './tpch-like.ts'

export interface BenchResult {
  /** What else the machine did: processes that wanted to run in the minute before the start. */
  readonly loadBefore: number
  readonly settings: EngineSettings & { readonly duckdb: string }
  readonly selectOne: SelectOneResult
  readonly tpchLike: TpchLikeResult
}

const cell = (value: number, digits = 2): string => value.toFixed(digits).padStart(12)
const line = (label: string, ...values: readonly string[]): string => label.padEnd(44) + values.join('')
const heading = (label: string, ...names: readonly string[]): string =>
  line(label, ...names.map((name) => name.padStart(12)))

function selectOneLines({ channel, inProcess, ...result }: SelectOneResult): string[] {
  return [
    heading(`select 1, ${result.runs} runs`, 'channel', 'in process', 'more', 'ratio'),
    line(
      'p50, ms',
      cell(channel.p50Ms),
      cell(inProcess.p50Ms),
      cell(result.p50DifferenceMs),
      cell(result.p50Ratio),
    ),
    line(
      'p99, ms',
      cell(channel.p99Ms),
      cell(inProcess.p99Ms),
      cell(result.p99DifferenceMs),
      cell(result.p99Ratio),
    ),
  ]
}

function tpchLikeLines(result: TpchLikeResult): string[] {
  return [
    heading(
      `22 queries at scale ${result.scale}, median of ${result.runs}, ms`,
      'channel',
      'in process',
      'ratio',
    ),
    ...result.queries.map((query) =>
      line(`${query.id} ${query.title}`, cell(query.channelMs), cell(query.inProcessMs), cell(query.ratio)),
    ),
    line('total', cell(result.channelTotalMs), cell(result.inProcessTotalMs), cell(result.totalRatio)),
    line('geometric mean of the ratios', ' '.repeat(24), cell(result.geometricMeanRatio)),
  ]
}

export function asTable({ loadBefore, settings, selectOne, tpchLike }: BenchResult): string {
  const about = `DuckDB ${settings.duckdb}, threads ${settings.threads}, memory ${settings.memory_limit}, the same on both sides`
  const load = `Load before the start ${loadBefore.toFixed(2)} (on a machine that does other work, the figures say little)`
  return [about, load, '', ...selectOneLines(selectOne), '', ...tpchLikeLines(tpchLike)].join('\n')
}

/** The file's path; its name is the time of the run in UTC. */
export async function writeResult(directory: string, result: BenchResult): Promise<string> {
  const date = new Date().toISOString()
  const machine = {
    cpu: cpus()[0]?.model ?? 'unknown',
    cores: availableParallelism(),
    platform: `${platform()} ${arch()}`,
    node: process.version,
  }
  const path = join(directory, `${date.slice(0, 19).replaceAll(':', '-')}Z.json`)
  await mkdir(directory, { recursive: true })
  await writeFile(path, `${JSON.stringify({ date, machine, ...result }, null, 2)}\n`)
  return path
}
