import { appendFile, chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type Login, signIn } from '@boathouse/client'
import type { Row } from '@boathouse/contract'
import type { DuckDBConnection } from '@duckdb/node-api'
import { openChannel } from '../channel-client.ts'
import { rowsOf, settingsOf } from '../in-process.ts'
import type { SqlRunner } from '../sql-runner.ts'
import { startProduct } from '../start-product.ts'
import {
  emptyProduct,
  type FileReport,
  type Finding,
  runFile,
  type Times,
  withEmptyPeer,
} from './run-file.ts'
import { readTestFile, type TestStatement } from './test-file.ts'

/** Seconds for one statement, on either side. */
const LONGEST = 20
const EXAMPLES = 3
const KINDS_TOLD = 12
/** Files, until it says again how far it is. */
const TOLD_EVERY = 50

const [folder] = process.argv.slice(2)
const everyNth = Number(process.env['SQL_FILES_EVERY'] ?? 1)
const seconds = Number(process.env['SQL_FILES_SECONDS'] ?? Number.POSITIVE_INFINITY)
/** Every finding as a line of JSON, during the run. */
const findingsFile = process.env['SQL_FILES_FINDINGS']

interface Total {
  files: number
  same: number
  notRun: number
  readonly times: Times[]
  readonly leftOut: Map<string, number>
  readonly findings: (Finding & { readonly file: string })[]
}

async function testFilesIn(directory: string): Promise<string[]> {
  const names = await readdir(directory, { recursive: true })
  return names
    .filter((name) => name.endsWith('.test'))
    .sort()
    .filter((_, at) => at % everyNth === 0)
    .map((name) => join(directory, name))
}

const inTime = (connection: DuckDBConnection): SqlRunner => ({
  async run(sql: string): Promise<readonly Row[]> {
    const late = setTimeout(() => connection.interrupt(), LONGEST * 1000)
    return rowsOf(connection, sql).finally(() => clearTimeout(late))
  },
  close: () => Promise.resolve(),
})

/** Of a file that broke off: what ended it counts as one finding. */
const brokenOff = (error: unknown): FileReport => ({
  same: 0,
  notRun: 0,
  times: [],
  findings: [
    {
      verdict: 'different',
      reason: 'the file broke off',
      known: null,
      statement: { sql: '', line: 0, hasRows: false },
      said: { product: error instanceof Error ? error.message : String(error), peer: '' },
    },
  ],
})

async function emptyAndClose(product: SqlRunner): Promise<void> {
  try {
    await emptyProduct(product)
  } finally {
    await product.close()
  }
}

/** Each on a connection of its own, on empty data. */
async function runOne(
  statements: readonly TestStatement[],
  login: Login,
  threads: string,
): Promise<FileReport> {
  const product = await openChannel(login)
  try {
    await product.run(`SET query_timeout = ${LONGEST}`)
    return await withEmptyPeer(threads, (connection) =>
      runFile(statements, { product, peer: inTime(connection) }),
    )
  } finally {
    await emptyAndClose(product)
  }
}

async function runAll(directory: string, login: Login): Promise<Total> {
  const total: Total = {
    files: 0,
    same: 0,
    notRun: 0,
    times: [],
    leftOut: new Map(),
    findings: [],
  }
  const { threads } = await settingsOf(login)
  const until = performance.now() + seconds * 1000
  for (const path of await testFilesIn(directory)) {
    if (performance.now() > until) break
    const read = readTestFile(await readFile(path, 'utf8'))
    if ('leftOut' in read) {
      total.leftOut.set(read.leftOut, (total.leftOut.get(read.leftOut) ?? 0) + 1)
      continue
    }
    const report = await runOne(read.statements, login, threads).catch(brokenOff)
    const file = relative(directory, path)
    total.files++
    total.same += report.same
    total.notRun += report.notRun
    total.times.push(...report.times)
    const findings = report.findings.map((finding) => ({ ...finding, file }))
    total.findings.push(...findings)
    if (total.files % TOLD_EVERY === 0) console.error(countsOf(total))
    if (findingsFile)
      await appendFile(findingsFile, findings.map((finding) => `${JSON.stringify(finding)}\n`).join(''))
  }
  return total
}

function countsOf({ files, same, findings }: Total): string {
  const count = (isOne: (finding: Finding) => boolean) => findings.filter(isOne).length
  const refused = count(({ verdict }) => verdict === 'refused')
  const known = count((finding) => finding.known !== null)
  const different = findings.length - refused - known
  return `${files} files: same ${same}, refused ${refused}, different ${different}, and ${known} as the guide says`
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

const productMsOf = (times: readonly Times[]): number => sum(times.map((one) => one.productMs))

function timesOf(times: readonly Times[]): string {
  const [product, peer] = [productMsOf(times), sum(times.map((one) => one.peerMs))]
  const each = (ms: number) => (ms / Math.max(1, times.length)).toFixed(2)
  return `${(product / peer).toFixed(2)} times (${each(product)} against ${each(peer)} ms)`
}

/** Those first that take the most of the time. */
function byKind(times: readonly Times[]): [string, Times[]][] {
  const kinds = new Map<string, Times[]>()
  for (const one of times) (kinds.get(one.kind) ?? kinds.set(one.kind, []).get(one.kind))?.push(one)
  return [...kinds].sort(([, a], [, b]) => productMsOf(b) - productMsOf(a))
}

function tell(total: Total): void {
  const { notRun, times, leftOut, findings } = total
  const of = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict)
  const left = sum([...leftOut.values()])
  console.log(countsOf(total))
  console.log(`${left} files left out: they need a file, an extension or a second connection`)
  console.log(`${notRun} statements left out: they attach a second database or stand behind that`)
  console.log(`time of those that ran on both sides: ${timesOf(times)}`)
  for (const [kind, ofKind] of byKind(times).slice(0, KINDS_TOLD))
    console.log(`${String(ofKind.length).padStart(5)}  ${kind}: ${timesOf(ofKind)}`)
  for (const verdict of ['refused', 'different'] as const) {
    const reasons = new Map<string, Total['findings']>()
    for (const finding of of(verdict)) {
      const reason = finding.known ? `as the guide says: ${finding.known}` : finding.reason
      reasons.set(reason, [...(reasons.get(reason) ?? []), finding])
    }
    const sorted = [...reasons].sort(([, a], [, b]) => b.length - a.length)
    console.log(`\n${verdict}`)
    for (const [reason, found] of sorted) {
      console.log(`${String(found.length).padStart(5)}  ${reason}`)
      for (const { file, statement } of found.slice(0, EXAMPLES))
        console.log(
          `       ${file}:${statement.line}  ${statement.sql.replaceAll(/\s+/g, ' ').slice(0, 160)}`,
        )
    }
  }
}

async function main(): Promise<void> {
  if (!folder)
    throw new Error(
      'Name the folder with the test files, as test/sql of a checkout of DuckDB at the same version.',
    )
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-sql-files-'))
  try {
    // Started by root, the product runs its parts as other users, who must be able to pass through.
    await chmod(directory, 0o711)
    const running = await startProduct({ dataDirectory: join(directory, 'data') })
    try {
      tell(await runAll(folder, await signIn(running.signIn)))
    } finally {
      await running.stop()
    }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

await main()
