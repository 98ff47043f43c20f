import { expect, onTestFinished, test } from 'vitest'
import { testSpace } from '../engines/conformance/fixture.ts'
import type { Engine, EngineProvider } from '../engines/engine.ts'
import { createFakeProvider } from '../engines/fake/provider.ts'
import { createLog } from '../kernel/log.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { AccountEngine } from './account-engine.ts'

/** Its engines open, and answer neither a change of size nor their end until they are let go. */
function stuckEngines(): EngineProvider & { letGo(): void } {
  const inner = createFakeProvider()
  let letGo: (() => void) | undefined
  const freed = new Promise<void>((resolve) => (letGo = resolve))
  return {
    id: 'stuck',
    letGo: () => letGo?.(),
    async open(space) {
      const engine = await inner.open(space)
      return Object.assign(Object.create(engine) as Engine, {
        lost: engine.lost,
        resize: () => freed,
        close: () => freed.then(() => engine.close()),
      })
    },
    close: () => inner.close(),
  }
}

async function stuckAccount() {
  const provider = stuckEngines()
  const account = new AccountEngine({
    space: await testSpace(),
    provider,
    machine: { threads: 64, memoryBytes: 2 ** 38 },
    clock: fakeClock(),
    log: createLog('silent'),
    settlingMs: 20,
    onLost: () => undefined,
  })
  onTestFinished(async () => {
    provider.letGo()
    await account.close()
  })
  return { account, provider }
}

test('a share is taken back though the engine does not get smaller, and another is given', async () => {
  const { account } = await stuckAccount()
  const engine = await account.share('a', 'Medium')
  await account.share('b', 'Small')
  await account.unshare('b')
  expect(await account.share('b', 'Small')).toBe(engine)
  expect(account.running).toBe(engine)
})

test('the last share is taken back though the engine does not end, and the next one waits for that', async () => {
  const { account, provider } = await stuckAccount()
  const engine = await account.share('a', 'Medium')
  await account.unshare('a')
  expect(account.running).toBeNull()
  const next = account.share('a', 'Medium')
  provider.letGo()
  expect(await next).not.toBe(engine)
})
