import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type Login, signIn } from '@boathouse/client'
import type { Row } from '@boathouse/contract'
import type { DuckDBConnection } from '@duckdb/node-api'
import { openChannel } from '../channel-client.ts'
import { rowsOf, settingsOf } from '../in-process.ts'
import type { SqlRunner } from '../sql-runner.ts'
import { startProduct } from '../start-product.ts'
import { emptyProduct, type Finding, runFile, withEmptyPeer } from './run-file.ts'
import { readTestFile } from './test-file.ts'

/** Seconds for one statement, on either side. */
const LONGEST = 20
const EXAMPLES = 3

const [folder] = process.argv.slice(2)
const everyNth = Number(process.env['SQL_FILES_EVERY'] ?? 1)
const seconds = Number(process.env['SQL_FILES_SECONDS'] ?? Number.POSITIVE_INFINITY)

interface Total {
  files: number
  same: number
  productMs: number
  peerMs: number
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

async function runAll(directory: string, login: Login): Promise<Total> {
  const total: Total = { files: 0, same: 0, productMs: 0, peerMs: 0, leftOut: new Map(), findings: [] }
  const { threads } = await settingsOf(login)
  const until = performance.now() + seconds * 1000
  for (const path of await testFilesIn(directory)) {
    if (performance.now() > until) break
    const file = readTestFile(await readFile(path, 'utf8'))
    if ('leftOut' in file) {
      total.leftOut.set(file.leftOut, (total.leftOut.get(file.leftOut) ?? 0) + 1)
      continue
    }
    const product = await openChannel(login)
    try {
      await product.run(`SET query_timeout = ${LONGEST}`)
      const report = await withEmptyPeer(threads, (connection) =>
        runFile(file.statements, { product, peer: inTime(connection) }),
      )
      total.files++
      total.same += report.same
      total.productMs += report.productMs
      total.peerMs += report.peerMs
      total.findings.push(
        ...report.findings.map((finding) => ({ ...finding, file: relative(directory, path) })),
      )
      await emptyProduct(product)
    } finally {
      await product.close()
    }
  }
  return total
}

function tell({ files, same, productMs, peerMs, leftOut, findings }: Total): void {
  const of = (verdict: Finding['verdict']) => findings.filter((finding) => finding.verdict === verdict)
  const left = [...leftOut.values()].reduce((sum, count) => sum + count, 0)
  console.log(`${files} files, ${left} left out (they need a file, an extension or a second connection)`)
  console.log(`same ${same}, refused ${of('refused').length}, different ${of('different').length}`)
  console.log(`time of those that ran on both sides: ${(productMs / Math.max(1, peerMs)).toFixed(2)} times`)
  for (const verdict of ['refused', 'different'] as const) {
    const reasons = new Map<string, Total['findings']>()
    for (const finding of of(verdict))
      reasons.set(finding.reason, [...(reasons.get(finding.reason) ?? []), finding])
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
