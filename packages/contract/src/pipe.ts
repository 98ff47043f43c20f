import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { ObjectPart } from './schema-objects.ts'

export const PIPE_FORMATS = ['csv', 'json', 'parquet'] as const
export type PipeFormat = (typeof PIPE_FORMATS)[number]

/** `error`: it cannot be read by this version. */
const PIPE_STATES = ['running', 'suspended', 'finished', 'error'] as const
export type PipeState = (typeof PIPE_STATES)[number]

export const PIPE_FILE_STATES = ['waiting', 'loading', 'loaded', 'failed', 'skipped'] as const
const PipeFileState = z.enum(PIPE_FILE_STATES)
export type PipeFileState = z.infer<typeof PipeFileState>

const PIPE_ACTIONS = ['suspend', 'resume', 'retry', 'drop'] as const
export type PipeAction = (typeof PIPE_ACTIONS)[number]

const PIPE_FILE_ACTIONS = ['retry', 'skip'] as const
export type PipeFileAction = (typeof PIPE_FILE_ACTIONS)[number]

/** What can be done with a file; one that is being loaded, or was, stays what it is. */
export const ACTIONS_OF_PIPE_FILE: Readonly<Record<PipeFileState, readonly PipeFileAction[]>> = {
  waiting: ['skip'],
  loading: [],
  loaded: [],
  failed: ['retry', 'skip'],
  skipped: ['retry'],
}

const PipeId = z.uuid()
const FileId = z.uuid()
const Path = z.string().check(z.minLength(1, 'Enter a path'), z.maxLength(1_024))
const Properties = z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(1_024)))

export const Pipe = z.object({
  pipeId: PipeId,
  name: z.string(),
  catalog: z.string(),
  databaseName: z.string(),
  tableName: z.string(),
  user: z.string(),
  path: z.string(),
  format: z.enum(PIPE_FORMATS),
  state: z.enum(PIPE_STATES),
  /** Why the service has suspended it; empty where a user did. */
  reason: z.string(),
  /** Of the last attempt to list or load that came to nothing; empty after one that succeeded. */
  lastError: z.string(),
  actions: z.array(z.enum(PIPE_ACTIONS)),
  /** All of them, with those that were not set. */
  properties: Properties,
  statement: z.string(),
  /** Files by state. */
  files: z.record(PipeFileState, z.int()),
  rowsLoaded: z.int(),
  bytesLoaded: z.int(),
  /** How long the oldest file waits that is not loaded yet; null: none does. */
  lagSeconds: z.nullable(z.number()),
  lastLoadedAt: z.nullable(z.string()),
  listedAt: z.nullable(z.string()),
  createdAt: z.string(),
})
export type Pipe = z.infer<typeof Pipe>

export const PipeFile = z.object({
  fileId: FileId,
  path: z.string(),
  sizeBytes: z.int(),
  changedAt: z.string(),
  state: PipeFileState,
  actions: z.array(z.enum(PIPE_FILE_ACTIONS)),
  attempts: z.int(),
  error: z.string(),
  rowsLoaded: z.nullable(z.int()),
  rowsRejected: z.int(),
  queryId: z.nullable(z.string()),
  seenAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type PipeFile = z.infer<typeof PipeFile>

/** Where files may come from. */
const PipeSource = z.object({
  /** What a path begins with. */
  path: z.string(),
  /** Whose keys or privileges open it; null: a folder that no catalog shows. */
  catalog: z.nullable(z.string()),
})

const Page = {
  offset: z._default(z.int().check(z.gte(0)), 0),
  limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 20),
}
const OfPipe = z.object({ pipeId: PipeId })
const OfFile = z.object({ pipeId: PipeId, fileId: FileId })
const ACTED = ['NotFound', 'Conflict'] as const

/** Continuous loads: folders and buckets that are watched, each file loaded once. */
export const pipe = {
  pipeSources: defineCall({
    path: '/task/pipe-sources',
    summary: 'List the folders and buckets that your pipes may read',
    needs: 'login',
    input: z.object({}),
    output: z.object({ list: z.array(PipeSource) }),
  }),
  createPipe: defineCall({
    path: '/task/create-pipe',
    summary: 'Create a pipe, which loads each file that appears in a folder or bucket once',
    needs: 'login',
    input: z.object({
      catalog: ObjectPart,
      databaseName: ObjectPart,
      name: ObjectPart,
      tableName: ObjectPart,
      path: Path,
      format: z.enum(PIPE_FORMATS),
      /** How the files are read, as in FILES(…): `csv.column_separator` and the like. */
      options: z._default(Properties, {}),
      properties: z._default(Properties, {}),
    }),
    output: Pipe,
    fails: ['BadInput', 'NoPermission', 'NameTaken', 'LimitReached', 'QuotaExceeded', ...ACTED],
  }),
  listPipes: defineCall({
    path: '/task/pipes',
    summary: 'List your pipes by name; account administrators see all',
    needs: 'login',
    input: z.object({ ...Page, catalog: z.optional(ObjectPart), databaseName: z.optional(ObjectPart) }),
    output: z.object({ list: z.array(Pipe), total: z.int() }),
  }),
  describePipe: defineCall({
    path: '/task/pipe',
    summary: 'Get one pipe with the figures of its files',
    needs: 'login',
    input: OfPipe,
    output: Pipe,
    fails: ['NotFound'],
  }),
  findPipe: defineCall({
    path: '/task/find-pipe',
    summary: 'Get one pipe by its name',
    needs: 'login',
    input: z.object({ catalog: ObjectPart, databaseName: ObjectPart, name: ObjectPart }),
    output: Pipe,
    fails: ['NotFound'],
  }),
  listPipeFiles: defineCall({
    path: '/task/pipe-files',
    summary: 'List the files of a pipe, those that were seen last first',
    needs: 'login',
    input: z.object({ pipeId: PipeId, state: z.optional(PipeFileState), ...Page }),
    output: z.object({ list: z.array(PipeFile), total: z.int() }),
    fails: ['NotFound'],
  }),
  changePipe: defineCall({
    path: '/task/change-pipe',
    summary: 'Change properties of a pipe',
    needs: 'login',
    input: z.object({ pipeId: PipeId, properties: Properties }),
    output: Pipe,
    fails: ['BadInput', ...ACTED],
  }),
  suspendPipe: defineCall({
    path: '/task/suspend-pipe',
    summary: 'Suspend a pipe; what is being loaded is loaded to its end',
    needs: 'login',
    input: OfPipe,
    output: Pipe,
    fails: ACTED,
  }),
  resumePipe: defineCall({
    path: '/task/resume-pipe',
    summary: 'Resume a suspended pipe',
    needs: 'login',
    input: OfPipe,
    output: Pipe,
    fails: ACTED,
  }),
  dropPipe: defineCall({
    path: '/task/drop-pipe',
    summary: 'Drop a pipe and what it knows of its files; loaded rows stay',
    needs: 'login',
    input: OfPipe,
    output: z.object({}),
    fails: ACTED,
  }),
  retryPipeFile: defineCall({
    path: '/task/retry-pipe-file',
    summary: 'Load a failed or skipped file of a pipe again',
    needs: 'login',
    input: OfFile,
    output: z.object({}),
    fails: ACTED,
  }),
  retryPipeFiles: defineCall({
    path: '/task/retry-pipe-files',
    summary: 'Load all failed files of a pipe again',
    needs: 'login',
    input: OfPipe,
    output: z.object({ retried: z.int() }),
    fails: ACTED,
  }),
  skipPipeFile: defineCall({
    path: '/task/skip-pipe-file',
    summary: 'Skip a waiting or failed file of a pipe',
    needs: 'login',
    input: OfFile,
    output: z.object({}),
    fails: ACTED,
  }),
} as const
