import { fork } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { hostBundleForTests } from './host-bundle-for-tests.ts'

async function startHost() {
  const host = fork(await hostBundleForTests(), [], {
    execArgv: [],
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  onTestFinished(() => void host.kill('SIGKILL'))
  let printed = ''
  for (const stream of [host.stdout, host.stderr])
    stream?.on('data', (data: Buffer) => (printed += data.toString()))
  return { host, printed: () => printed }
}

test('reports why it ends when something fails that nobody foresaw', async () => {
  const { host, printed } = await startHost()
  const [report, exit] = [once(host, 'message'), once(host, 'exit')]
  host.send([null] as never)
  expect(await report).toEqual([
    [{ kind: 'dying', reason: expect.stringMatching(/unexpected failure/) }],
    undefined,
  ])
  expect(await exit).toEqual([null, 'SIGKILL'])
  expect(printed()).toBe('')
})

test('refuses what it does not know, and ends at once when its server lets go of it', async () => {
  const { host, printed } = await startHost()
  const [report, exit] = [once(host, 'message'), once(host, 'exit')]
  host.send([{ id: 7, kind: 'dance' }])
  expect(await report).toMatchObject([[{ kind: 'refusal', id: 7 }], undefined])
  host.disconnect()
  expect(await exit).toEqual([null, 'SIGKILL'])
  expect(printed()).toBe('')
})
