import { chmod, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { extensionFile } from '../engines/duckdb/extensions/extension-names.ts'
import { unpackWheel } from '../engines/duckdb/extensions/wheel.ts'
import { bundleForTests, hostBundleForTests } from '../engines/duckdb/host/host-bundle-for-tests.ts'
import { isApart } from '../engines/duckdb/hosting/confinement.ts'
import { createInProcessDuckdb } from '../engines/duckdb/in-process.ts'
import {
  createDuckdbProvider,
  type DuckdbEngine,
  type DuckdbOptions,
  type DuckdbProvider,
} from '../engines/duckdb/provider.ts'

/**
 * The embedded engine, which runs inside the installation. This is the one place outside its room where tests name it:
 * they ask for what they need of it here.
 */
export type EmbeddedEngine = DuckdbEngine

/** As the product has it: one process for each account. None is held ready: what a test opens next is seldom worth one. */
export const createEmbeddedProvider = async (
  options: Omit<DuckdbOptions, 'hostPath'> = {},
): Promise<DuckdbProvider> =>
  createDuckdbProvider({ spare: false, ...options, hostPath: await hostBundleForTests() })

/** A program of the server as a file, as the build makes it. */
export { bundleForTests }

/** In the test's own process and in memory, for tests that need its SQL alone. */
export const createEmbeddedInProcess = createInProcessDuckdb

/** Whether the processes of engines are kept from the network on this machine, without which they read nothing outside. */
export const embeddedIsApart = (): boolean => isApart()

/** A folder with the extension from a folder that holds its wheel, as an operator would have it. The caller removes it. */
export async function httpfsFrom(wheels: string | null): Promise<string> {
  const wheel = wheels === null ? undefined : (await readdir(wheels)).find((file) => file.endsWith('.whl'))
  if (wheels === null || wheel === undefined) throw new Error('There is no wheel of httpfs.')
  const [unpacked] = unpackWheel(await readFile(join(wheels, wheel)), (name) =>
    name.endsWith('.duckdb_extension'),
  )
  const folder = await mkdtemp(join(tmpdir(), 'boathouse-extensions-'))
  await chmod(folder, 0o755)
  if (unpacked) await writeFile(extensionFile(folder, 'httpfs'), unpacked.bytes, { mode: 0o644 })
  return folder
}

/** What rows and pages call it in tests. */
export const EMBEDDED = 'duckdb in process'
export const EMBEDDED_LABEL = 'DuckDB'
