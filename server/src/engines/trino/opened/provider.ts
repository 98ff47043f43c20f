import { withBeside } from '../../beside/engine.ts'
import type { Engine } from '../../engine/engine.ts'
import type { LocalProvider } from '../../engine/local-space.ts'
import type { DatabasePlace } from '../../engine/names.ts'
import type { OpenedCatalogs } from '../../engine/opened-catalogs.ts'
import { openedBeside } from './beside.ts'

export interface OpenedParts {
  /** Known when the first of them is opened. */
  readonly opened: () => OpenedCatalogs
  /** A place that every account has in the engine. */
  readonly home: DatabasePlace
  /** Runs work in any cluster of the account that runs. Rejects with an `EngineUnavailable` where none does. */
  inCluster<T>(accountId: string, work: (cluster: Engine) => Promise<T>): Promise<T>
}

/** The same engines, each in front of the catalogs that are opened to its account. */
export const inFrontOfOpened = <Provider extends LocalProvider>(
  provider: Provider,
  { opened, home, inCluster }: OpenedParts,
): Provider => ({
  ...provider,
  async open(space): Promise<Engine> {
    const { accountId } = space
    const beside = openedBeside({
      accountId,
      opened: opened(),
      home,
      inCluster: (work) => inCluster(accountId, work),
    })
    return withBeside(await provider.open(space), beside)
  },
})
