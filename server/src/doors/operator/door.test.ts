import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { AppError } from '../../kernel/app-error.ts'
import { createLog } from '../../kernel/log.ts'
import { openOperatorDoor } from './door.ts'

async function open() {
  const directory = await mkdtemp(join(tmpdir(), 'boathouse-operator-'))
  const path = join(directory, 'operator.sock')
  await writeFile(path, 'left behind by a server that was killed')
  const run = async (command: string, input: unknown): Promise<unknown> => {
    if (command === 'fail') throw new Error('a secret of the inside')
    if (command === 'refuse') throw new AppError('Conflict', 'Not now.')
    return { command, input }
  }
  const door = await openOperatorDoor({ path, run, log: createLog('silent') })
  onTestFinished(async () => {
    await door.close()
    await rm(directory, { recursive: true, force: true })
  })
  const ask = (body: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const question = request({ socketPath: path, method: 'POST' }, (answer) => {
        text(answer)
          .then((words) => resolve(JSON.parse(words)))
          .catch(reject)
      })
      question.on('error', reject)
      question.end(body)
    })
  return { path, door, ask }
}

test('the socket is for the user who runs the server, and nobody else', async () => {
  const { path, door } = await open()
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  await door.close()
  await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' })
})

test('commands are answered; refusals in words, surprises without their cause', async () => {
  const { ask } = await open()
  expect(await ask(JSON.stringify({ command: 'account list', input: { org: 'x' } }))).toEqual({
    output: { command: 'account list', input: { org: 'x' } },
  })
  expect(await ask(JSON.stringify({ command: 'refuse', input: {} }))).toEqual({ problem: 'Not now.' })
  expect(await ask(JSON.stringify({ command: 'fail', input: {} }))).toEqual({
    problem: 'Something went wrong in the service. See its log for details.',
  })
  expect(await ask('hello')).toEqual({ problem: 'The command is not JSON.' })
  expect(await ask('['.repeat(60_000))).toEqual({
    problem: 'The command is nested deeper than 32 levels.',
  })
  expect(await ask(' '.repeat(70_000))).toEqual({ problem: 'The command is too long.' })
})
