import type { ClusterSpace } from '../engine/cluster-space.ts'
import { EngineUnavailable } from '../engine/engine.ts'
import { NO_NAME_RULES } from '../engine/name-rules.ts'
import type { EngineProvider } from '../engine/provider.ts'
import { placesIn } from '../../results/form.ts'
import { makeOwnedFolder } from '../../results/owned-files.ts'
import { TrinoEngine } from './engine.ts'
import { fenced } from './fence.ts'
import type { ClientOptions } from './protocol/client.ts'

/** Opens engines on clusters that run. */
export function createTrinoProvider(options: ClientOptions = {}): EngineProvider<ClusterSpace> {
  const id = 'trino'
  return {
    id,
    label: 'Trino',
    nameRules: NO_NAME_RULES,
    async open(space) {
      try {
        await makeOwnedFolder(placesIn(space.resultsDirectory).results)
      } catch (error) {
        throw new EngineUnavailable('The folder for results of this account cannot be made.', {
          cause: error,
        })
      }
      const engine = new TrinoEngine(id, space, options)
      try {
        await engine.prepare()
      } catch (error) {
        const { message } = error as Error
        throw new EngineUnavailable(`The cluster cannot be used: ${message}`, { cause: error })
      }
      return space.cluster.hides ? fenced(engine, space) : engine
    },
    close: () => Promise.resolve(),
  }
}
