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

const ENTRY = 'engine-host'

/** The host's bundle built from the sources as they are, once for each state of them. Tests run in many processes. */
export async function hostBundleForTests(): Promise<string> {
  const server = serverDirectory()
  const cache = join(dirname(server), 'node_modules', '.cache', 'boathouse')
  const built = join(cache, `${ENTRY}-${fingerprint(join(server, 'src', 'engines'))}`)
  if (!existsSync(built)) await build(server, built)
  return join(built, `${ENTRY}.js`)
}

async function build(server: string, target: string): Promise<void> {
  const { build } = await import('rolldown')
  const options = (await import(pathToFileURL(join(server, 'rolldown.options.mjs')).href)) as {
    nodeBundle(input: Record<string, string>, directory: string): object
  }
  mkdirSync(dirname(target), { recursive: true })
  const draft = mkdtempSync(`${target}-`)
  // As root the host runs as another user.
  chmodSync(draft, 0o755)
  await build(options.nodeBundle({ [ENTRY]: join(server, 'src/engines/duckdb/host.ts') }, draft))
  try {
    renameSync(draft, target)
  } catch (error) {
    // Another test process was faster with the same thing.
    rmSync(draft, { recursive: true })
    if (!existsSync(target)) throw error
  }
}

function fingerprint(directory: string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(directory, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!name.endsWith('.ts') || name.endsWith('.test.ts')) continue
    hash.update(name).update(readFileSync(join(directory, name)))
  }
  return hash.digest('hex').slice(0, 16)
}
