import type { OpenReader } from '../../../results/reader.ts'
import { type HostProcess, stopHost } from './host-process.ts'

/** The server's side of a process that reads kept results. */
export function hostedReader(host: HostProcess, stopDeadlineMs: number): OpenReader {
  let closed: Promise<void> | null = null
  return {
    read: (queryId, window) => host.ask({ kind: 'readResult', queryId, window }).answer,
    arranged: (queryId, order) => host.ask({ kind: 'arrangeResult', queryId, order }).answer,
    cell: (queryId, part) => host.ask({ kind: 'readCell', queryId, part }).answer,
    statistics: (queryId, order) => host.ask({ kind: 'columnStatistics', queryId, order }).answer,
    pivot: (queryId, order) => host.ask({ kind: 'pivotResult', queryId, order }).answer,
    compare: (queryId, order) => host.ask({ kind: 'compareResults', queryId, order }).answer,
    stopWork: (workId) => host.ask({ kind: 'stopWork', workId }).answer,
    export: (queryId, order) => host.ask({ kind: 'exportResult', queryId, order }).answer,
    exportProgress: (file) => host.ask({ kind: 'exportProgress', file }).answer,
    stopExport: (file) => host.ask({ kind: 'stopExport', file }).answer,
    ended: host.ended,
    close: () => (closed ??= stopHost(host, stopDeadlineMs)),
  }
}
