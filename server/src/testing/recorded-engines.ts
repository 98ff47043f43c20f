import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createCompute } from '../compute/compute.ts'
import { createAccountFolders } from '../compute/local/account-folders.ts'
import { createLocalProvisioner } from '../compute/local/local-provisioner.ts'
import type { AccountSpace, LocalProvider } from '../engines/engine/local-space.ts'
import type { EngineSize } from '../engines/engine/provider.ts'
import { type Engine, EngineUnavailable } from '../engines/engine/engine.ts'
import { NO_NAME_RULES } from '../engines/engine/name-rules.ts'
import { createScriptedProvider, type ScriptedProvider } from '../engines/scripted/provider.ts'
import { createLog } from '../kernel/log.ts'
import { fakeClock } from './fake-clock.ts'

/** What became of one engine that was opened. */
export interface RecordedEngine {
  readonly accountId: string
  readonly sizes: EngineSize[]
  isClosed: boolean
  /** Dies of the next change of its size. */
  isBrittle: boolean
  crash(reason: string): void
}

/** The scripted engines, one provider for each account, so that a test can end one account's engine alone. */
function recordedEngines(): LocalProvider & {
  opened: RecordedEngine[]
  refuse(message: string): void
} {
  const providers = new Map<string, ScriptedProvider>()
  const opened: RecordedEngine[] = []
  let refusal: string | null = null

  function providerOf(accountId: string): ScriptedProvider {
    const provider = providers.get(accountId) ?? createScriptedProvider()
    providers.set(accountId, provider)
    return provider
  }

  function record(engine: Engine, { accountId, threads, memoryBytes }: AccountSpace): Engine {
    const sizes: EngineSize[] = [{ threads, memoryBytes }]
    const one: RecordedEngine = {
      accountId,
      sizes,
      isClosed: false,
      isBrittle: false,
      crash: (reason) => providerOf(accountId).crash(reason),
    }
    opened.push(one)
    const {
      dialect,
      usesAre,
      effects,
      catalogs,
      descriptions,
      explain,
      profiling,
      describing,
      attachments,
      files,
      tableSizes,
      lost,
    } = engine
    return {
      kind: 'recorded',
      dialect,
      usesAre,
      effects,
      catalogs,
      descriptions,
      explain,
      profiling,
      describing,
      attachments,
      files,
      tableSizes,
      lost,
      openSession: (state) => engine.openSession(state),
      settled: (queryId) => engine.settled(queryId),
      resize:
        engine.resize &&
        (async (size) => {
          if (one.isBrittle) {
            one.crash('it grew too fast')
            await engine.lost
            throw new EngineUnavailable('The engine has ended.')
          }
          await engine.resize?.(size)
          sizes.push(size)
        }),
      async close() {
        one.isClosed = true
        await engine.close()
      },
    }
  }

  return {
    id: 'recorded',
    label: 'Recorded',
    nameRules: NO_NAME_RULES,
    users: null,
    opened,
    refuse: (message) => (refusal = message),
    async open(space) {
      const provider = providerOf(space.accountId)
      if (refusal !== null) provider.failNextOpen(refusal)
      refusal = null
      return record(await provider.open(space), space)
    },
    close: async () => undefined,
  }
}

const osUserOf = () => Promise.resolve(null)

/** Compute on a machine of 64 threads and 256 GiB, without a server around it; ends with the test. */
export async function startCompute(others: readonly LocalProvider[] = []) {
  const clock = fakeClock()
  const engines = recordedEngines()
  const dataDir = await mkdtemp(join(tmpdir(), 'boathouse-compute-'))
  const machine = { threads: 64, memoryBytes: 256 * 1024 ** 3 }
  const log = createLog('silent')
  const folders = createAccountFolders(join(dataDir, 'accounts'))
  const local = (provider: LocalProvider) =>
    createLocalProvisioner({ provider, folders, isHome: provider === engines, osUserOf, machine })
  const compute = createCompute({ provisioners: [local(engines), ...others.map(local)], clock, log })
  onTestFinished(async () => {
    await compute.close()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { clock, engines, compute, dataDir }
}
