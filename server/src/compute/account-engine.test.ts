import { expect, onTestFinished, test } from 'vitest'
import { testSpace } from '../engines/conformance/fixture.ts'
import type { Engine } from '../engines/engine/engine.ts'
import type { LocalProvider } from '../engines/engine/local-space.ts'
import { NO_NAME_RULES } from '../engines/engine/name-rules.ts'
import type { EngineSize } from '../engines/engine/provider.ts'
import { createScriptedProvider } from '../engines/scripted/provider.ts'
import { createLog } from '../kernel/log.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { AccountEngine } from './account-engine.ts'
import { createLocalProvisioner } from './local/local-provisioner.ts'

/** Its engines open, and answer neither a change of size nor their end until they are let go. */
function stuckEngines(): LocalProvider & { letGo(): void } {
  const inner = createScriptedProvider()
  let letGo: (() => void) | undefined
  const freed = new Promise<void>((resolve) => (letGo = resolve))
  return {
    id: 'stuck',
    label: 'Stuck',
    nameRules: NO_NAME_RULES,
    users: null,
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

async function provisionerOf(provider: LocalProvider) {
  const { directory } = await testSpace()
  return createLocalProvisioner({
    provider,
    folders: { directoryOf: () => directory },
    isHome: true,
    osUserOf: () => Promise.resolve(null),
    machine: { threads: 64, memoryBytes: 2 ** 38 },
  })
}

async function stuckAccount() {
  const provider = stuckEngines()
  const account = new AccountEngine({
    accountId: 'a',
    provisioner: await provisionerOf(provider),
    clock: fakeClock(),
    log: createLog('silent'),
    settlingMs: 20,
    resizingMs: 20,
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

test('a warehouse keeps its size when the engine is too busy to take on another one in time [WH-30]', async () => {
  const { account, provider } = await stuckAccount()
  const engine = await account.share('a', 'Small')
  await expect(account.share('a', 'Large')).rejects.toThrow('too busy to change its size')
  expect(account.running).toBe(engine)
  provider.letGo()
  expect(await account.share('a', 'Small')).toBe(engine)
})

async function fixedAccount() {
  const provider = createScriptedProvider({ without: ['resize'] })
  const opened: EngineSize[] = []
  const account = new AccountEngine({
    accountId: 'a',
    provisioner: await provisionerOf({
      ...provider,
      open(space) {
        opened.push({ threads: space.threads, memoryBytes: space.memoryBytes })
        return provider.open(space)
      },
    }),
    clock: fakeClock(),
    log: createLog('silent'),
    onLost: () => undefined,
  })
  onTestFinished(() => account.close())
  return { account, threads: () => opened.map((size) => size.threads) }
}

test('an engine that cannot change its size is not changed while a warehouse runs in it, and says why', async () => {
  const { account, threads } = await fixedAccount()
  const engine = await account.share('a', 'Small')
  const refused = 'The engine cannot be resized while warehouses of this account use it'
  await expect(account.share('a', 'Large')).rejects.toThrow(refused)
  await expect(account.share('b', 'Small')).rejects.toThrow(refused)
  expect(await account.share('a', 'Small')).toBe(engine)
  expect(account.running).toBe(engine)
  expect(threads()).toHaveLength(1)
})

test('an engine that cannot change its size makes room for another when only the service has it', async () => {
  const { account, threads } = await fixedAccount()
  let finish: (() => void) | undefined
  const work = new Promise<void>((resolve) => (finish = resolve))
  let began: (() => void) | undefined
  const begun = new Promise<void>((resolve) => (began = resolve))
  const used = account.use(async (engine) => {
    began?.()
    await work
    return engine
  })
  await begun
  const shared = account.share('a', 'Large')
  finish?.()
  expect(await shared).not.toBe(await used)
  const [before, after] = threads()
  expect(after).toBeGreaterThan(before ?? 0)
})

test('an engine that cannot change its size keeps it when a warehouse ends', async () => {
  const { account, threads } = await fixedAccount()
  const engine = await account.share('a', 'Small')
  await account.use(async () => undefined)
  await account.unshare('a')
  expect(account.running).toBe(engine)
  expect(threads()).toHaveLength(1)
})
