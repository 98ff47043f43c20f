import type { Engine } from '../engine/engine.ts'
import type { Lake } from '../engine/lake.ts'
import type { LocalProvider } from '../engine/local-space.ts'
import type { DatabasePlace } from '../engine/names.ts'
import { withBeside } from '../beside/engine.ts'
import { lakeBeside } from './beside.ts'

interface LakeParts {
  readonly lake: Lake
  /** A place that every account has in the engine. */
  readonly home: DatabasePlace
  /** Runs work in any cluster of the account that runs. Rejects with an `EngineUnavailable` where none does. */
  inCluster<T>(accountId: string, work: (cluster: Engine) => Promise<T>): Promise<T>
}

/** The same engines, each in front of the lake of its account. */
export const inFrontOfLakes = <Provider extends LocalProvider>(
  provider: Provider,
  { lake, home, inCluster }: LakeParts,
): Provider => ({
  ...provider,
  async open(space): Promise<Engine> {
    const { accountId } = space
    const beside = lakeBeside({
      catalog: lake.catalog,
      home,
      lake: lake.of(accountId),
      isThere: () => lake.has(accountId),
      inCluster: (work) => inCluster(accountId, work),
    })
    return withBeside(await provider.open(space), beside)
  },
})
