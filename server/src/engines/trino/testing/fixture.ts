import { mkdir } from 'node:fs/promises'
import type { EngineFixture } from '../../conformance/fixture.ts'
import type { ClusterSpace } from '../../engine/cluster-space.ts'
import type { Engine } from '../../engine/engine.ts'
import type { AccountSpace } from '../../engine/local-space.ts'
import { createScriptedProvider } from '../../scripted/provider.ts'
import { createTrinoProvider } from '../provider.ts'
import { startTrino, type TrinoServer } from './server.ts'

interface Place {
  server: TrinoServer
  /** The account whose catalog it has now. */
  directory: string
  isFree: boolean
}

/** Servers are started when they are needed, and given to one account after the other, each with data of its own. */
export class TrinoServers {
  readonly #places: Place[] = []

  async placeFor(directory: string): Promise<Place> {
    const free = this.#places.find(({ isFree, server }) => isFree && server.isRunning)
    const place = free ?? { server: await startTrino(), directory: '', isFree: true }
    if (!free) this.#places.push(place)
    place.isFree = false
    if (place.directory !== directory) await this.#enter(place, directory)
    return place
  }

  async #enter(place: Place, directory: string): Promise<void> {
    const data = `${directory}-data`
    await mkdir(data, { recursive: true })
    const { server } = place
    if (place.directory !== '') await server.ask('DROP CATALOG default_catalog')
    place.directory = directory
    await server.ask(`CREATE CATALOG default_catalog USING iceberg WITH (
      "iceberg.catalog.type" = 'TESTING_FILE_METASTORE',
      "hive.metastore.catalog.dir" = 'local:///tables',
      "fs.native-local.enabled" = 'true',
      "local.location" = '${data}')`)
  }

  async stop(): Promise<void> {
    await Promise.all(this.#places.map(({ server }) => server.stop()))
  }
}

/** The engine on such servers, as the suite opens it. */
export function trinoFixture(servers: TrinoServers): EngineFixture {
  const provider = createTrinoProvider()
  const results = createScriptedProvider()
  const opened = new Map<Engine, Place>()

  async function open(space: AccountSpace): Promise<Engine> {
    const place = await servers.placeFor(space.directory)
    const engine = await provider.open(spaceOf(space, place))
    opened.set(engine, place)
    return engine
  }

  return {
    provider: { ...provider, users: null, open, openReader: (at) => results.openReader(at) },
    kill: (engine) => opened.get(engine)?.server.kill(),
  }
}

function spaceOf({ accountId, directory, threads, memoryBytes }: AccountSpace, place: Place): ClusterSpace {
  const { server } = place
  let isStopped = false
  const lost = new Promise<string>((resolve) => {
    void (async () => {
      await server.ended
      if (!isStopped) resolve('its coordinator ended')
    })()
  })
  return {
    accountId,
    warehouseId: 'one',
    resultsDirectory: directory,
    threads,
    memoryBytes,
    cluster: {
      url: server.url,
      headersFor: server.headersFor,
      addressOf: server.addressOf,
      catalogs: server.catalogs,
      whyNoCatalog: () => null,
      requireWorkers: server.requireWorkers,
      lost,
      resize: () => Promise.resolve(),
      nodes: () => [],
      cpuMs: () => Promise.resolve(0),
      async stop() {
        isStopped = true
        place.isFree = true
      },
    },
  }
}
