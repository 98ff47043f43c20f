import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'

const here = dirname(fileURLToPath(import.meta.url))

/** A process of its own that does this, and after a rejection says that it lives. */
async function run(failing: string) {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-stray-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const entry = join(directory, 'entry.ts')
  await writeFile(
    entry,
    `import { createLog } from ${JSON.stringify(join(here, 'kernel/log.ts'))}
     import { watchStrayFailures } from ${JSON.stringify(join(here, 'stray-failures.ts'))}
     let rejections = 0
     watchStrayFailures(process, {
       log: createLog('info'),
       onRejection: () => {
         rejections++
         setImmediate(() => process.stdout.write('alive ' + rejections))
       },
       end: () => setImmediate(() => process.exit(7)),
     })
     ${failing}`,
  )
  const file = join(directory, 'entry.js')
  await build({ input: entry, platform: 'node', cwd: here, output: { file, format: 'esm' } })
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'pipe'] })
  const said = { out: '', log: '' }
  child.stdout.on('data', (data: Buffer) => (said.out += data.toString()))
  child.stderr.on('data', (data: Buffer) => (said.log += data.toString()))
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { ...said, code }
}

test('a rejection that nobody holds is logged and counted, and the process lives on', async () => {
  const { out, log, code } = await run(`void Promise.reject(new Error('the disk is full'))`)
  expect([out, code]).toEqual(['alive 1', 0])
  expect(JSON.parse(log)).toMatchObject({ level: 50, err: { message: 'the disk is full' } })
})

test('an exception that nobody catches ends the process in order, with a line in the log', async () => {
  const { out, log, code } = await run(
    `setImmediate(() => { throw new Error('half done') })
     setTimeout(() => process.stdout.write('alive'), 600_000)`,
  )
  expect([out, code]).toEqual(['', 7])
  expect(JSON.parse(log)).toMatchObject({ level: 60, err: { message: 'half done' } })
})
