import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { ObjectPart } from './schema-objects.ts'

export const LOAD_FORMATS = ['csv', 'tsv', 'json', 'ndjson', 'parquet', 'xlsx'] as const
export const LoadFormat = z.enum(LOAD_FORMATS)
export type LoadFormat = z.infer<typeof LoadFormat>

export const LOAD_ENCODINGS = ['utf-8', 'utf-16', 'latin-1'] as const
const LoadEncoding = z.enum(LOAD_ENCODINGS)
export type LoadEncoding = z.infer<typeof LoadEncoding>

const COMPRESSED = /\.(gz|zst|zip)$/i

const isCompressed = (name: string): boolean => COMPRESSED.test(name)

/** By the end of a file's name, apart from that of a compression; null: none that is loaded. */
export function formatOfName(name: string): LoadFormat | null {
  const [, end = ''] = /\.([a-z0-9]+)$/i.exec(name.replace(COMPRESSED, '')) ?? []
  const known = end.toLowerCase()
  if (known === 'jsonl') return 'ndjson'
  if (known === 'tab') return 'tsv'
  if (known === 'txt') return 'csv'
  if (known === 'xlsm') return 'xlsx'
  return LOAD_FORMATS.find((format) => format === known) ?? null
}

/** Why a file is not loaded, and what to do; null when it is. */
export function whyNotLoaded(name: string): string | null {
  if (/\.(xlsb?|ods|numbers)$/i.test(name))
    return 'You can only load XLSX spreadsheets. Save it as XLSX or CSV (UTF-8) and choose that file.'
  if (/\.(bz2|xz|7z|rar|tgz|tar(\.[a-z0-9]+)?)$/i.test(name))
    return 'You can load files that are compressed as GZ, ZST or ZIP. Extract this one and choose the file in it.'
  return null
}

/** The states of a load task. */
const LOAD_STATES = ['queued', 'running', 'paused', 'finished', 'failed', 'cancelled'] as const
export type LoadState = (typeof LOAD_STATES)[number]

const LOAD_ACTIONS = ['pause', 'resume', 'drop'] as const
export type LoadAction = (typeof LOAD_ACTIONS)[number]

/**
 * A task that has failed is resumed from its file, as one that was paused; one that is over is dropped from the list.
 */
export const ACTIONS_OF_LOAD: Readonly<Record<LoadState, readonly LoadAction[]>> = {
  queued: ['pause', 'drop'],
  running: ['pause', 'drop'],
  paused: ['resume', 'drop'],
  failed: ['resume', 'drop'],
  finished: ['drop'],
  cancelled: ['drop'],
}

const FileName = z.string().check(z.minLength(1, 'Choose a file'), z.maxLength(LIMITS.fileNameLength))
const UploadId = z.uuid()
const TaskId = z.uuid()

/** Codes of strptime, of which others need a time zone or mean the same. */
export const TIME_PATTERN = /^(?:[^%\p{Cc}]|%%|%[aAbBdHIjmMpSfyY]|%-[dHIjmMSy])+$/u
const TimePattern = z
  .string()
  .check(
    z.maxLength(64),
    z.regex(TIME_PATTERN, 'Write a pattern such as %d/%m/%Y or %d.%m.%y %H:%M, with the codes of strptime'),
  )

const THOUSANDS = ['.', ',', ' ', "'"] as const

/** How the values of CSV and TSV are written. */
export const WrittenValues = z.object({
  /** Such as %d/%m/%Y. Null: year-month-day, which is always read. */
  date: z._default(z.nullable(TimePattern), null),
  /** Null: as the dates, with a time. */
  timestamp: z._default(z.nullable(TimePattern), null),
  decimal: z._default(z.enum(['.', ',']), '.'),
  thousands: z._default(z.nullable(z.enum(THOUSANDS)), null),
})
export type WrittenValues = z.infer<typeof WrittenValues>

/** How a file is read. Omitted values are detected. */
export const Reading = z.object({
  format: LoadFormat,
  encoding: z._default(LoadEncoding, 'utf-8'),
  delimiter: z._default(z.nullable(z.string().check(z.minLength(1), z.maxLength(4))), null),
  header: z._default(z.nullable(z.boolean()), null),
  /** Of a spreadsheet, by its name; null: the first one. */
  sheet: z._default(z.nullable(z.string().check(z.minLength(1), z.maxLength(255))), null),
  /** Null: detected. */
  written: z._default(z.nullable(WrittenValues), null),
})
export type Reading = z.infer<typeof Reading>

const Cells = z.array(z.nullable(z.string()))

export const Rejection = z.object({
  line: z.nullable(z.int()),
  column: z.nullable(z.string()),
  reason: z.string(),
  text: z.nullable(z.string()),
})
export type Rejection = z.infer<typeof Rejection>

/** A column of texts that would have another type but for a few values. */
const SpoiledType = z.object({
  column: z.string(),
  /** That all others fit. */
  type: z.string(),
  /** Of dates, how they are written; null: as the reading says. */
  format: z.nullable(z.string()),
  values: z.int(),
  misfits: z.int(),
  /** The first rows with a value that does not fit. */
  rows: z.array(Rejection),
})
export type SpoiledType = z.infer<typeof SpoiledType>

/** A column of texts that are numbers where the decimal separator is a comma. */
const DecimalCommas = z.object({
  column: z.string(),
  /** Between its groups of three digits, where it has some. */
  thousands: z.nullable(z.enum(THOUSANDS)),
  values: z.int(),
  /** How many of them are such numbers. */
  fits: z.int(),
  /** The first ones that cannot be read otherwise. */
  rows: z.array(Rejection),
})
export type DecimalCommas = z.infer<typeof DecimalCommas>

/** Of which the columns are found in the beginning, while the rest still arrives. */
export const isSampled = (
  format: LoadFormat,
  { name, sizeBytes }: { readonly name: string; readonly sizeBytes: number },
): boolean => (format === 'csv' || format === 'tsv') && sizeBytes > LIMITS.sampleBytes && !isCompressed(name)

/** What was found in a file. */
export const Inspection = z.object({
  state: z.enum(['running', 'finished', 'failed']),
  reading: Reading,
  /** Why it failed. */
  error: z.string(),
  columns: z.array(
    z.object({
      name: z.string(),
      type: z.string(),
      /** How many it has, apart from NULL; null: not counted. */
      values: z.nullable(z.int()),
    }),
  ),
  /** The first ones. */
  rows: z.array(Cells),
  /** Of a spreadsheet, those that can be chosen. */
  sheets: z.array(z.string()),
  /** How much of its beginning was read; null: all of it. */
  sampledBytes: z.nullable(z.int()),
  /** How its dates and timestamps are written, in the codes of strptime, where that was detected. */
  detected: z.object({ date: z.nullable(z.string()), timestamp: z.nullable(z.string()) }),
  spoiled: z.array(SpoiledType),
  /** Where nothing was said of how numbers are written. */
  decimalCommas: z.array(DecimalCommas),
  /** Rows that cannot be read whatever the types are, as a broken line of JSON. */
  broken: z.object({
    count: z.int(),
    /** The first ones. */
    rows: z.array(Rejection),
  }),
})
export type Inspection = z.infer<typeof Inspection>

export const Upload = z.object({
  uploadId: UploadId,
  name: z.string(),
  sizeBytes: z.int(),
  partBytes: z.int(),
  /** The parts that have arrived, from 0 on. */
  received: z.array(z.int()),
  complete: z.boolean(),
  expiresAt: z.string(),
  inspection: z.nullable(Inspection),
  /** While the service fetches it from its address; null: it does not. */
  fetching: z.nullable(
    z.object({
      receivedBytes: z.int(),
      /** Otherwise `sizeBytes` is what is reserved for it. */
      isSizeKnown: z.boolean(),
    }),
  ),
})
export type Upload = z.infer<typeof Upload>

/** A column of the file, and where it goes. */
export const LoadColumn = z.object({
  name: z.string().check(z.maxLength(LIMITS.identifierLength)),
  /** What its values are read as; a table that is there has types of its own. */
  type: z.string().check(z.minLength(1), z.maxLength(16_384)),
  /** Null: it is left out. */
  into: z.nullable(ObjectPart),
  /** What becomes of a value that is not of this type: its row is rejected, or it is loaded as NULL. */
  misfits: z._default(z.enum(['reject', 'null']), 'reject'),
})
export type LoadColumn = z.infer<typeof LoadColumn>

/** Rows are added, take the place of all that are there, or of those with the same key. */
export const LOAD_WRITES = ['append', 'replace', 'upsert'] as const
export type LoadWrites = (typeof LOAD_WRITES)[number]

/** A column that got a wider type while it was loaded. */
const WidenedColumn = z.object({
  column: z.string(),
  from: z.string(),
  to: z.string(),
  /** Of the first value that did not fit. */
  line: z.nullable(z.int()),
  reason: z.string(),
})
export type WidenedColumn = z.infer<typeof WidenedColumn>

/** A column in which values that do not fit were loaded as NULL. */
const NulledColumn = z.object({
  column: z.string(),
  values: z.int(),
  /** Of the first of them. */
  line: z.nullable(z.int()),
  reason: z.string(),
})
export type NulledColumn = z.infer<typeof NulledColumn>

export const LoadTask = z.object({
  taskId: TaskId,
  state: z.enum(LOAD_STATES),
  actions: z.array(z.enum(LOAD_ACTIONS)),
  user: z.string(),
  fileName: z.string(),
  sizeBytes: z.int(),
  catalog: z.string(),
  databaseName: z.string(),
  tableName: z.string(),
  makesTable: z.boolean(),
  writes: z.enum(LOAD_WRITES),
  keys: z.array(z.string()),
  warehouse: z.string(),
  /** Of its last run, in the history; null before the first. */
  queryId: z.nullable(z.string()),
  /** 0 to 100 while it runs; null where that is not known. */
  progress: z.nullable(z.number()),
  /** Of data that a program sends, while it runs; null of all others. */
  receivedBytes: z.nullable(z.int()),
  rowsLoaded: z.nullable(z.int()),
  rowsRejected: z.int(),
  widened: z.array(WidenedColumn),
  nulled: z.array(NulledColumn),
  error: z.string(),
  createdAt: z.string(),
  endedAt: z.nullable(z.string()),
})
export type LoadTask = z.infer<typeof LoadTask>

const Page = {
  offset: z._default(z.int().check(z.gte(0)), 0),
  limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 20),
}
const OfUpload = z.object({ uploadId: UploadId })
const OfTask = z.object({ taskId: TaskId })
const ACTED = ['NotFound', 'Conflict'] as const

/** Files that are uploaded in parts, and the tasks that load them. */
export const load = {
  beginUpload: defineCall({
    path: '/task/begin-upload',
    summary: 'Start an upload, or resume an interrupted one',
    needs: 'login',
    input: z.object({
      name: FileName,
      sizeBytes: z.int().check(z.gte(1, 'The file is empty'), z.lte(LIMITS.uploadBytes)),
      /** Tells this file from others of the same name and size, as by when it was changed. */
      fingerprint: z._default(z.string().check(z.maxLength(128)), ''),
    }),
    output: z.extend(Upload, {
      /** Part n goes to this address, a slash and n, by PUT. */
      url: z.string(),
    }),
    fails: ['BadInput', 'QuotaExceeded', 'DiskFull', 'LimitReached'],
  }),
  fetchUpload: defineCall({
    path: '/task/fetch-upload',
    summary: 'Have a file fetched from a public HTTPS address, as an upload that arrives without you',
    needs: 'login',
    input: z.object({
      address: z
        .string()
        .check(
          z.trim(),
          z.minLength(1, 'Enter the address of a file'),
          z.maxLength(LIMITS.fileAddressLength),
        ),
    }),
    output: Upload,
    fails: ['BadInput', 'QuotaExceeded', 'DiskFull', 'LimitReached'],
  }),
  upload: defineCall({
    path: '/task/upload',
    summary: 'Get the received parts of an upload and the columns found in it',
    needs: 'login',
    input: OfUpload,
    output: Upload,
    fails: ['NotFound'],
  }),
  dropUpload: defineCall({
    path: '/task/drop-upload',
    summary: 'Delete an uploaded file that no task needs',
    needs: 'login',
    input: OfUpload,
    output: z.object({}),
    fails: ACTED,
  }),
  inspect: defineCall({
    path: '/task/inspect-upload',
    summary:
      'Detect the columns of an uploaded file; of a large CSV file from its beginning, while it arrives',
    needs: 'login',
    input: z.object({ uploadId: UploadId, warehouseId: z.uuid(), reading: Reading }),
    output: Upload,
    fails: [...ACTED, 'LimitReached'],
  }),
  create: defineCall({
    takesLarge: true,
    path: '/task/create-load',
    summary: 'Load an inspected file into a table; repeating the call does not load it twice',
    needs: 'login',
    input: z.object({
      /** Chosen by the caller. */
      taskId: TaskId,
      uploadId: UploadId,
      warehouseId: z.uuid(),
      catalog: ObjectPart,
      databaseName: ObjectPart,
      tableName: ObjectPart,
      makesTable: z.boolean(),
      /** What becomes of the rows of an existing table. */
      writes: z._default(z.enum(LOAD_WRITES), 'append'),
      /** For `upsert`: columns of the table that tell its rows apart. The last row of a file with one key is loaded. */
      keys: z._default(z.array(ObjectPart).check(z.maxLength(LIMITS.loadKeys)), []),
      columns: z.array(LoadColumn).check(z.minLength(1), z.maxLength(LIMITS.loadColumns)),
      /** With more rows than this that cannot be read nothing is loaded. */
      mostRejected: z._default(z.int().check(z.gte(0), z.lte(LIMITS.rejectedRows)), 0),
      /** Where a value does not fit its detected type, the column of a new table is widened; otherwise the row is rejected. */
      widens: z._default(z.boolean(), true),
    }),
    output: LoadTask,
    fails: ['BadInput', 'NoPermission', 'LimitReached', ...ACTED],
  }),
  list: defineCall({
    path: '/task/loads',
    summary: 'List your load tasks, newest first; account administrators see all',
    needs: 'login',
    input: z.object({ ...Page, catalog: z.optional(ObjectPart), databaseName: z.optional(ObjectPart) }),
    output: z.object({ list: z.array(LoadTask), total: z.int() }),
  }),
  describe: defineCall({
    path: '/task/load',
    summary: 'Get one load task',
    needs: 'login',
    input: OfTask,
    output: LoadTask,
    fails: ['NotFound'],
  }),
  rejections: defineCall({
    path: '/task/load-rejections',
    summary: 'List the rows that a load task rejected, with reasons',
    needs: 'login',
    input: z.object({ taskId: TaskId, ...Page }),
    output: z.object({ list: z.array(Rejection), total: z.int() }),
    fails: ['NotFound'],
  }),
  pause: defineCall({
    path: '/task/pause-load',
    summary: 'Pause a load task; no rows are loaded until you resume it',
    needs: 'login',
    input: OfTask,
    output: LoadTask,
    fails: ACTED,
  }),
  resume: defineCall({
    path: '/task/resume-load',
    summary: 'Resume a paused or failed load task from the start of its file',
    needs: 'login',
    input: OfTask,
    output: LoadTask,
    fails: [...ACTED, 'LimitReached'],
  }),
  drop: defineCall({
    path: '/task/drop-load',
    summary: 'Cancel a load task and delete its file, or remove a finished one from the list',
    needs: 'login',
    input: OfTask,
    output: z.object({}),
    fails: ACTED,
  }),
} as const
