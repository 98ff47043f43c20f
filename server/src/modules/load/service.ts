import type { Kysely } from 'kysely'
import { inBatches } from '../../store/in-batches.ts'
import type { Schema } from '../../store/schema.ts'
import { createFileRuns, type FileRunParts } from './file-runs.ts'
import { createFetches, type FetchParts } from './fetches.ts'
import { createInspections } from './inspections.ts'
import { createKeptConnections, type KeptParts } from './kept-connections.ts'
import { createLoadList } from './load-list.ts'
import { createLoadListStore } from './load-list-store.ts'
import { createTaskRuns, type TaskRunParts } from './task-runs.ts'
import { createTaskStore } from './task-store.ts'
import { createTasks, type TaskParts } from './tasks.ts'
import { createUploadFiles, type UploadFileParts } from './upload-files.ts'
import { createUploadStore } from './upload-store.ts'
import { createUploads, type UploadParts } from './uploads.ts'
import { createStreams, type StreamParts } from './stream/service.ts'

export interface LoadParts
  extends
    UploadFileParts,
    Pick<UploadParts, 'actorOf' | 'requireLetIn' | 'accountIds' | 'clock' | 'log' | 'mostBytes'>,
    Pick<TaskParts, 'warehouses' | 'useServiceEngine'>,
    Pick<FetchParts, 'webFiles'>,
    Pick<TaskRunParts, 'announce' | 'findRequest'>,
    Pick<StreamParts, 'resolve' | 'labelsKeptMs' | 'idleMs' | 'mostOpen' | 'mostStaged'> {
  readonly db: Kysely<Schema>
  readonly authority: TaskParts['authority'] & StreamParts['authority']
  readonly queries: FileRunParts['queries'] & KeptParts['queries'] & TaskRunParts['queries']
}

/** As long as what they ran as is in the history. */
const TASKS_MS = 90 * 24 * 3_600_000

/** Data from files: uploaded in parts, previewed, and loaded into tables by tasks. */
export function createLoads(parts: LoadParts) {
  const { db, clock } = parts
  const uploadStore = createUploadStore(db)
  const taskStore = createTaskStore(db)
  const files = createUploadFiles(parts)
  const kept = createKeptConnections(parts)
  const runFile = createFileRuns({ ...parts, kept })
  const streams = createStreams({ ...parts, files, tasks: taskStore, runFile })
  const { isArriving } = streams
  const uploads = createUploads({
    ...parts,
    store: uploadStore,
    tasks: taskStore,
    files,
    isArriving,
    fetchingOf: (uploadId) => fetches.stateOf(uploadId),
  })
  const fetches = createFetches({ ...parts, store: uploadStore, uploads, files })
  const inspections = createInspections({ ...parts, uploads, store: uploadStore, runFile })
  const runs = createTaskRuns({ ...parts, store: taskStore, uploads, runFile })
  const tasks = createTasks({ ...parts, store: taskStore, uploads, runs, streams })
  const list = createLoadList({ store: createLoadListStore(db), tasks, runs, streams, clock })

  return {
    uploads,
    fetches,
    inspections,
    tasks,
    list,
    streams,

    /** Resumes the tasks that a server has left, and those whose outcome was unknown. */
    resumeLeft: runs.resumeLeft,

    expire: uploads.expire,

    forgetOld: () => {
      const before = new Date(clock.now().getTime() - TASKS_MS)
      return inBatches((most) => taskStore.forget(before, most))
    },

    /** Before the first call. Tasks are resumed with `resumeLeft`, once statements can run. */
    async recover(): Promise<void> {
      await inspections.recover()
      await uploads.sweep()
    },

    /** A cancellation after this is not the user's: the next server resumes the task. */
    closing: runs.closing,

    async close(): Promise<void> {
      await fetches.close()
      await inspections.close()
      await runs.close()
      await kept.close()
    },
  }
}

export type Loads = ReturnType<typeof createLoads>
