import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { serverDirectory } from './host-bundle.ts'

/** How the product is bundled, so that tests run what it runs. */
const BUNDLING = 'rolldown.options.mjs'
const SHEET_READER = 'src/engines/duckdb/files/sheets/sheet-reader.ts'

export const hostBundleForTests = (): Promise<string> =>
  bundleForTests({
    name: 'engine-host',
    entry: 'src/engines/duckdb/host/host.ts',
    madeOf: ['src/engines', 'src/kernel', 'src/results', '../packages/sql/src'],
    beside: { 'sheet-reader': SHEET_READER },
    builder: 'src/engines/duckdb/guard/build-guard.ts',
  })

export const sheetReaderForTests = (): Promise<string> =>
  bundleForTests({
    name: 'sheet-reader',
    entry: SHEET_READER,
    madeOf: ['src/engines/duckdb/files/sheets'],
  })

interface TestedBundle {
  readonly name: string
  readonly entry: string
  /** Folders of its sources, seen from the server's as `entry` is. */
  readonly madeOf: readonly string[]
  /** What runs beside it, by name. */
  readonly beside?: Readonly<Record<string, string>>
  /** A program that puts beside it what it needs: in a process of its own, as tests look at what theirs has loaded. */
  readonly builder?: string
}

/** Of this process, by name: to read all sources for each app would take as long as its start. */
const bundles = new Map<string, Promise<string>>()

/** A bundle built from the sources as they are, once for each state of them. Tests run in many processes. */
export function bundleForTests(tested: TestedBundle): Promise<string> {
  const known = bundles.get(tested.name) ?? findOrBuild(tested)
  bundles.set(tested.name, known)
  return known
}

async function findOrBuild({ name, entry, madeOf, beside = {}, builder }: TestedBundle): Promise<string> {
  const server = serverDirectory()
  const cache = join(dirname(server), 'node_modules', '.cache', 'boathouse')
  const print = fingerprint(
    join(server, BUNDLING),
    madeOf.map((folder) => join(server, folder)),
  )
  const built = join(cache, `${name}-${print}`)
  if (!existsSync(built)) {
    const entries = { [name]: entry, ...beside, ...(builder && { builder }) }
    const input = Object.fromEntries(Object.entries(entries).map(([key, file]) => [key, join(server, file)]))
    await build(input, server, built)
  }
  return join(built, `${name}.js`)
}

async function build(input: Record<string, string>, server: string, target: string): Promise<void> {
  const { build } = await import('rolldown')
  const options = (await import(pathToFileURL(join(server, BUNDLING)).href)) as {
    nodeBundle(input: Record<string, string>, directory: string): object
  }
  mkdirSync(dirname(target), { recursive: true })
  const draft = mkdtempSync(`${target}-`)
  // As root the host runs as another user.
  chmodSync(draft, 0o755)
  await build(options.nodeBundle(input, draft))
  if (input['builder']) execFileSync(process.execPath, [join(draft, 'builder.js')])
  try {
    renameSync(draft, target)
  } catch (error) {
    // Another test process was faster with the same thing.
    rmSync(draft, { recursive: true })
    if (!existsSync(target)) throw error
  }
}

function fingerprint(bundling: string, directories: readonly string[]): string {
  const hash = createHash('sha256').update(readFileSync(bundling))
  for (const directory of directories)
    for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
      if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
      hash.update(name).update(readFileSync(join(directory, name)))
    }
  return hash.digest('hex').slice(0, 16)
}
