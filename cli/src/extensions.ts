import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { closedToEngines, findExtensionsDirectory } from '@boathouse/server/extensions-directory'
import { type Extension, extensionFile, EXTENSIONS, isExtension } from '@boathouse/server/known-extensions'
import { UsageError } from './command-line.ts'
import { productRoot } from './product-root.ts'
import { type Unpacked, unpackWheel } from '@boathouse/server/wheel'

const say = (text: string): void => console.log(text)

interface Probed {
  readonly duckdb: string
  readonly platform: string
  readonly extensions: readonly {
    readonly name: Extension
    readonly state: 'missing' | 'loads' | 'refused'
    readonly version: string
    readonly problem: string
  }[]
}

const FOR: Readonly<Record<Extension, string>> = {
  httpfs: 'catalogs over buckets, Iceberg REST servers and AWS Glue',
  avro: 'Iceberg REST catalogs, which are not read yet',
  iceberg: 'Iceberg REST catalogs, which are not read yet',
}

/** What a wheel for the platform says in its name. */
const WHEELS: Readonly<Record<string, string>> = {
  linux_amd64: 'manylinux2014_x86_64',
  linux_arm64: 'manylinux2014_aarch64',
  osx_amd64: 'macosx_11_0_x86_64',
  osx_arm64: 'macosx_11_0_arm64',
  windows_amd64: 'win_amd64',
}

async function probe(folder: string): Promise<Probed> {
  const program = join(productRoot, 'server', 'dist', 'engine-extensions.js')
  const { stdout } = await promisify(execFile)(process.execPath, [program, folder])
  return JSON.parse(stdout) as Probed
}

function stateOf({ state, version, problem }: Probed['extensions'][number]): string {
  if (state === 'missing') return 'not in place'
  return state === 'loads' ? `in place, loads (${version})` : `in place, does not load: ${problem}`
}

function howToGet({ duckdb, platform }: Probed, missing: readonly Extension[]): string {
  const version = duckdb.replace(/^v/, '')
  const wheel = WHEELS[platform]
  const named = missing.map((name) => `duckdb-extension-${name}==${version}`).join(' ')
  if (!wheel)
    return `There are no wheels of these for ${platform}; builds of DuckDB ${version} for it can be added.`
  return [
    'To get the missing extensions, run on any machine with pip and a network:',
    `  pip download --no-deps --only-binary=:all: --platform ${wheel} ${named}`,
    'Then run here, where neither is needed:',
    '  npx boathouse extensions add FILE.whl …',
    `A file NAME.duckdb_extension built for DuckDB ${version} and ${platform} is accepted too.`,
  ].join('\n')
}

async function list(folder: string, json: boolean): Promise<void> {
  const probed = await probe(folder)
  if (json) return say(JSON.stringify({ folder, ...probed }, null, 2))
  say(`DuckDB ${probed.duckdb} for ${probed.platform} loads extensions from ${folder}:\n`)
  for (const one of probed.extensions)
    say(`  ${one.name.padEnd(9)}${stateOf(one)}\n${' '.repeat(11)}for ${FOR[one.name]}`)
  const missing = probed.extensions.filter(({ state }) => state !== 'loads').map(({ name }) => name)
  if (missing.length > 0) say(`\n${howToGet(probed, missing)}`)
}

const ENDING = '.duckdb_extension'

const extensionIn = (file: string): string => (file.endsWith(ENDING) ? file.slice(0, -ENDING.length) : '')

async function unpack(file: string): Promise<Unpacked[]> {
  const bytes = await readFile(file)
  const name = basename(file)
  const found = name.endsWith(ENDING)
    ? [{ name, bytes }]
    : unpackWheel(bytes, (inner) => inner.endsWith(ENDING))
  const known = found.filter((one) => isExtension(extensionIn(one.name)))
  if (known.length > 0) return known
  throw new Error(`it holds none of ${EXTENSIONS.join(', ')}`)
}

/** Tried beside the folder first: one that does not load never takes the place of one that does. */
async function place(folder: string, unpacked: readonly Unpacked[]): Promise<string[]> {
  const draft = await mkdtemp(join(folder, '.new-'))
  try {
    // What one needs of the others may be in place already.
    for (const name of EXTENSIONS)
      if (existsSync(extensionFile(folder, name)))
        await copyFile(extensionFile(folder, name), extensionFile(draft, name))
    for (const { name, bytes } of unpacked) await writeFile(join(draft, name), bytes, { mode: 0o644 })
    const { extensions } = await probe(draft)
    const names = unpacked.map(({ name }) => extensionIn(name))
    const refused = extensions.find(({ name, state }) => names.includes(name) && state !== 'loads')
    if (refused) throw new Error(`DuckDB does not load ${refused.name}: ${refused.problem}`)
    for (const { name } of unpacked) {
      await chmod(join(draft, name), 0o644)
      await rename(join(draft, name), join(folder, name))
    }
    return names
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

async function add(folder: string, files: readonly string[]): Promise<void> {
  if (files.length === 0) throw new UsageError('usage: boathouse extensions add FILE …')
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const closed = await closedToEngines(folder)
  if (closed !== null)
    throw new Error(
      `Engines run as users of their own and cannot pass through ${closed}. Start Boathouse once, so that it chooses a folder for them, then add the extensions.`,
    )
  const unpacked: Unpacked[] = []
  for (const file of files)
    try {
      unpacked.push(...(await unpack(file)))
    } catch (error) {
      throw new Error(`${file} was not added: ${(error as Error).message}.`, { cause: error })
    }
  const names = await place(folder, unpacked)
  say(`Installed: ${names.join(', ')}. Engines that start from now on load them as needed.`)
}

/** DuckDB's extensions, which the operator puts in place: the service downloads nothing. */
export async function runExtensions(
  words: readonly string[],
  { dataDir, json }: { dataDir: string; json: boolean },
): Promise<void> {
  const folder = await findExtensionsDirectory(dataDir)
  const [word, ...files] = words
  if (word === undefined) return list(folder, json)
  if (word === 'add') return add(folder, files)
  throw new UsageError(
    `'${word}' is not a command. Use 'boathouse extensions' or 'boathouse extensions add FILE …'.`,
  )
}
