import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { SERVER_DIRECTORY } from '../../../../testing/server-directory.ts'

const ENTRY = fileURLToPath(new URL('../main.ts', import.meta.url))

let bundle: Promise<string> | null = null

/** The process as it runs, made of the sources as they are: once for each worker. */
export const doorBundle = (): Promise<string> => (bundle ??= makeBundle())

async function makeBundle(): Promise<string> {
  const folder = join(SERVER_DIRECTORY, '..', 'node_modules', '.cache', 'boathouse')
  const file = join(folder, `mysql-door-${process.pid}.mjs`)
  await build({ input: ENTRY, platform: 'node', output: { file, format: 'esm' } })
  process.once('exit', () => rmSync(file, { force: true }))
  return file
}
