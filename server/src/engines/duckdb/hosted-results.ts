import type { KeptResults } from '../engine.ts'
import type { HostProcess } from './host-process.ts'

/** The server's side of the results that the host process keeps. */
export function hostedResults(host: HostProcess): KeptResults {
  return {
    read: (queryId, window) => host.ask({ kind: 'readResult', queryId, window }).answer,
    cell: (queryId, place) => host.ask({ kind: 'readCell', queryId, place }).answer,
    export: (queryId, format, file) => host.ask({ kind: 'exportResult', queryId, format, file }).answer,
    drop: async (queryIds) => void (await host.ask({ kind: 'dropResults', queryIds }).answer),
    list: () => host.ask({ kind: 'listResults' }).answer,
  }
}
