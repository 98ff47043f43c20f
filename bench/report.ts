import { mkdir, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { isMet, type Goal, type Measured } from './figures.ts'
import type { EngineSettings } from './in-process.ts'

export interface BenchResult {
  /** What else the machine did: processes that wanted to run in the minute before the start, and before each. */
  readonly loadBefore: number
  readonly settings: EngineSettings & { readonly duckdb: string }
  readonly measured: Readonly<Record<string, Measured & { readonly loadBefore: number }>>
}

const WIDTH = 12
const cell = (value: number): string => value.toFixed(2).padStart(WIDTH)
const line = (label: string, ...values: readonly string[]): string => label.padEnd(52) + values.join('')

function goalLine(goal: Goal): string {
  const { what, value, sense, limit } = goal
  return `  ${isMet(goal) ? 'met ' : 'MISSED'} ${what}: ${value.toFixed(2)}, ${sense} ${limit}`
}

function measuredLines({ title, peer, figures, goals, notes, loadBefore }: BenchResult['measured'][string]) {
  const names = ['Boathouse', peer, 'ratio'].map((name) => name.padStart(WIDTH))
  return [
    line(title, ...names),
    ...figures.map((figure) =>
      line(`  ${figure.label}`, cell(figure.product), cell(figure.peer), cell(figure.product / figure.peer)),
    ),
    ...goals.map(goalLine),
    ...[...notes, `Load of the machine before: ${loadBefore.toFixed(2)}`].map((note) => `  ${note}`),
    '',
  ]
}

export function asTable({ loadBefore, settings, measured }: BenchResult): string {
  const about = `DuckDB ${settings.duckdb}, threads ${settings.threads}, memory ${settings.memory_limit}, the same on both sides; milliseconds`
  const load = `Load before the start ${loadBefore.toFixed(2)} (on a machine that does other work, the figures say little)`
  return [about, load, '', ...Object.values(measured).flatMap(measuredLines)].join('\n')
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
