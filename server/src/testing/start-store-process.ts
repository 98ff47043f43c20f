import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, rm } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { onTestFinished } from 'vitest'
import type { RunAs } from '../store/embedded/run-as.ts'
import { runProgram } from '../store/embedded/run-program.ts'
import { serverPackageDirectory } from '../store/package-directory.ts'
import { killWithChildren, quickSettings } from './store-kit.ts'
import type { StoreProcessMessage } from './store-process.ts'
import type { EmbeddedExtras } from '../store/store.ts'

export interface StoreProcess {
  pid: number
  messages: StoreProcessMessage[]
  /** Resolves with the first message: open or refused. */
  first: Promise<StoreProcessMessage>
  ended: Promise<unknown>
  /** Asks it to close, and waits. */
  stop(): Promise<void>
}

export interface StoreProcessOptions {
  dataDir: string
  work?: 'wait' | 'count'
  runAs?: RunAs | undefined
  embedded?: EmbeddedExtras
}

let bundle: Promise<string> | undefined

/** Runs store-process.ts from a bundle inside the package, as the product runs. */
export async function startStoreProcess(options: StoreProcessOptions): Promise<StoreProcess> {
  const { dataDir, work = 'wait', runAs, embedded } = options
  bundle ??= makeBundle()
  const extras = { settings: quickSettings, ...embedded }
  const args = [await bundle, dataDir, work, JSON.stringify(extras)]
  const child = spawn(process.execPath, args, { ...runAs, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const messages: StoreProcessMessage[] = []
  const lines = createInterface(child.stdout)
  const first = once(lines, 'line').then(([line]) => JSON.parse(String(line)) as StoreProcessMessage)
  lines.on('line', (line) => messages.push(JSON.parse(line) as StoreProcessMessage))
  const pid = child.pid ?? 0
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) await killWithChildren(pid)
  })
  return {
    pid,
    messages,
    first,
    ended,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** Why a user cannot run the bundle, if so: the checkout may lie below a folder closed to others. */
export async function unreachableFor(runAs: RunAs | undefined): Promise<string | undefined> {
  bundle ??= makeBundle()
  const args = ['-c', 'test -x "$0" && test -r "$1"', process.execPath, await bundle]
  const trial = await runProgram({ file: '/bin/sh', args, runAs })
  return trial.ok ? undefined : `user id ${runAs?.uid} cannot reach Node.js or this checkout`
}

export async function removeBundle(): Promise<void> {
  const made = bundle
  // The next file of this worker makes its own.
  bundle = undefined
  if (made) await rm(join(await made, '..'), { recursive: true })
}

async function makeBundle(): Promise<string> {
  const directory = join(serverPackageDirectory(), 'node_modules', '.cache', `store-process-${process.pid}`)
  const file = join(directory, 'store-process.js')
  await mkdir(directory, { recursive: true })
  await chmod(directory, 0o755)
  const build = await rolldown({
    input: fileURLToPath(new URL('store-process.ts', import.meta.url)),
    platform: 'node',
    external: (id) => !id.startsWith('.') && !isAbsolute(id),
  })
  await build.write({ file, format: 'esm' })
  await build.close()
  return file
}
