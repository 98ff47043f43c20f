import type { AccountCatalog, ExternalCatalog, FolderReport } from '../../engine/attachments.ts'
import type { AskedSizes, Effect } from '../../engine/capabilities.ts'
import type { EngineError, Outcome } from '../../engine/outcome.ts'
import type { EngineSize } from '../../engine/provider.ts'
import type { ExecuteOptions, Progress } from '../../engine/run.ts'
import type { SessionState } from '../../engine/session.ts'
import type { FileReading, InspectOrder } from '../../engine/files.ts'
import type { Denial, ListedName, Listing, ObjectUse } from '../../engine/objects.ts'
import type {
  ArrangedOrder,
  CellPart,
  ExportOrder,
  ResultReader,
  WindowOrder,
} from '../../../results/reader.ts'
import type { ComparisonOrder, PivotOrder, StatisticsOrder } from '../../../results/computing.ts'
import type { OtherCatalogs } from '../account/account.ts'
import type { AskedNames } from '../account/name-cache.ts'
import type { FileLook } from '../inspector/inspector.ts'
import type { HostUser } from '../hosting/host-user.ts'
import type { ReaderSpace } from '../reader/result-reader.ts'
import type { SandboxSpace } from '../guard/sandbox.ts'
import type { AnsweredRows } from './held-rows.ts'
import type { PackedNames } from './packed-names.ts'
import type { Sent } from './sent-once.ts'

/** A decision that is not the same for every statement is asked for by a `uses`, and comes back as a `verdict`. */
interface HostedOptions extends Omit<ExecuteOptions, 'authorize' | 'sink'> {
  readonly authorize: 'all' | 'asks'
  /** All rows are sent: over the pipe for them, or with the answer where they are few. */
  readonly sendsRows?: 'as columns' | 'packed or as columns'
}

/** A list of names is long, and the same for many statements. */
type SentVerdict =
  | Denial
  | (Omit<Listing, 'listed'> & { readonly listed: Sent<readonly ListedName[]> })
  | null

/** What the server asks of a host process. Each carries an id of its own, and is answered once. */
export type Ask =
  /** From then on it runs as this user. */
  | {
      readonly kind: 'start'
      readonly space: SandboxSpace
      readonly user: HostUser | null
      /** Why it cannot read what lies outside of the machine; null: it is answered over the pipe for it. */
      readonly whyNoOutside: string | null
    }
  | { readonly kind: 'open'; readonly session: number; readonly state: SessionState }
  | {
      readonly kind: 'execute'
      readonly session: number
      readonly sql: string
      readonly options: HostedOptions
    }
  /** What was decided on the objects that a statement uses. */
  | { readonly kind: 'verdict'; readonly statement: number; readonly verdict: SentVerdict }
  /** The statement's own outcome says when the engine has stopped it. */
  | { readonly kind: 'cancel'; readonly statement: number }
  | { readonly kind: 'close'; readonly session: number }
  | { readonly kind: 'resize'; readonly size: EngineSize }
  | { readonly kind: 'attach'; readonly catalog: AccountCatalog }
  | { readonly kind: 'removeCatalog'; readonly catalog: Pick<AccountCatalog, 'id' | 'name'> }
  | { readonly kind: 'renameCatalog'; readonly name: string; readonly to: string }
  | { readonly kind: 'checkCatalog'; readonly name: string }
  | { readonly kind: 'tryCatalog'; readonly catalog: ExternalCatalog }
  | { readonly kind: 'tableSizes'; readonly asked: AskedSizes }
  | { readonly kind: 'names'; readonly asked: AskedNames; readonly seen: Sent<ReadonlySet<string>> | null }
  | { readonly kind: 'tookEffect'; readonly queryIds: readonly string[] }
  | { readonly kind: 'forgetEffects'; readonly before: Date }
  | { readonly kind: 'settled'; readonly queryId: string }
  /** Instead of `start`: it is a reader of kept results from then on, and answers those questions only. */
  | { readonly kind: 'startReader'; readonly space: ReaderSpace; readonly user: HostUser | null }
  | { readonly kind: 'readResult'; readonly queryId: string; readonly window: WindowOrder }
  | { readonly kind: 'arrangeResult'; readonly queryId: string; readonly order: ArrangedOrder }
  | { readonly kind: 'readCell'; readonly queryId: string; readonly part: CellPart }
  | { readonly kind: 'columnStatistics'; readonly queryId: string; readonly order: StatisticsOrder }
  | { readonly kind: 'pivotResult'; readonly queryId: string; readonly order: PivotOrder }
  | { readonly kind: 'compareResults'; readonly queryId: string; readonly order: ComparisonOrder }
  | { readonly kind: 'stopWork'; readonly workId: string }
  | { readonly kind: 'exportResult'; readonly queryId: string; readonly order: ExportOrder }
  | { readonly kind: 'exportProgress'; readonly file: string }
  | { readonly kind: 'stopExport'; readonly file: string }
  /** Instead of `start`: it looks at files from then on, and answers these questions only. */
  | { readonly kind: 'startInspector'; readonly space: SandboxSpace; readonly user: HostUser | null }
  | { readonly kind: 'inspectFile'; readonly order: InspectOrder }
  | { readonly kind: 'checkFile'; readonly file: string; readonly reading: FileReading }
  /** What it has used of the processors, in milliseconds. */
  | { readonly kind: 'cpu' }
  /** Answered at once by a process that lives. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' }

export interface Answers {
  start: OtherCatalogs
  attach: null
  removeCatalog: null
  /** False while something uses it. */
  renameCatalog: boolean
  checkCatalog: string | null
  /** As a sentence when it cannot be read at all. */
  tryCatalog: FolderReport | string
  tableSizes: ReadonlyMap<string, number>
  names: PackedNames | null
  open: null
  /** With the rows of a small result, which the sink has not seen. */
  execute: Outcome & { readonly answered?: AnsweredRows }
  verdict: null
  cancel: null
  close: null
  resize: null
  tookEffect: ReadonlyMap<string, Effect>
  forgetEffects: null
  settled: null
  startReader: null
  readResult: Awaited<ReturnType<ResultReader['read']>>
  arrangeResult: Awaited<ReturnType<ResultReader['arranged']>>
  readCell: Awaited<ReturnType<ResultReader['cell']>>
  columnStatistics: Awaited<ReturnType<ResultReader['statistics']>>
  pivotResult: Awaited<ReturnType<ResultReader['pivot']>>
  compareResults: Awaited<ReturnType<ResultReader['compare']>>
  stopWork: null
  exportResult: Awaited<ReturnType<ResultReader['export']>>
  exportProgress: number | null
  stopExport: null
  startInspector: null
  inspectFile: FileLook
  /** Why an engine should not read it. */
  checkFile: EngineError | null
  cpu: number
  ping: null
  stop: null
}

export type Request = { readonly id: number } & Ask

/** What a host process says. */
export type Report =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[keyof Answers] }
  /** `error` is there when it is about the session's state or a kept result, and not about the engine. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly error?: EngineError }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  /** A statement waits for the decision whether it may use these. */
  | { readonly kind: 'uses'; readonly id: number; readonly uses: readonly ObjectUse[] }
  /** For operators: no answer depends on it. */
  | { readonly kind: 'trouble'; readonly message: string }
  /** Why a host ends, sent right before it does. */
  | { readonly kind: 'dying'; readonly reason: string }
