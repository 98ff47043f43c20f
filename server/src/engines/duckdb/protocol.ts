import type {
  Effect,
  EngineError,
  EngineSize,
  ExecuteOptions,
  ExportFormat,
  KeptResults,
  Outcome,
  Progress,
  SessionState,
  WindowOrder,
} from '../engine.ts'
import type { HostUser } from './host-user.ts'
import type { SandboxSpace } from './sandbox.ts'

/** What the server asks of a host process. Each carries an id of its own, and is answered once. */
export type Ask =
  /** From then on it runs as this user. */
  | { readonly kind: 'start'; readonly space: SandboxSpace; readonly user: HostUser | null }
  | { readonly kind: 'open'; readonly session: number; readonly state: SessionState }
  | {
      readonly kind: 'execute'
      readonly session: number
      readonly sql: string
      readonly options: ExecuteOptions
    }
  /** The statement's own outcome says when the engine has let go of it. */
  | { readonly kind: 'cancel'; readonly statement: number }
  | { readonly kind: 'close'; readonly session: number }
  | { readonly kind: 'resize'; readonly size: EngineSize }
  | { readonly kind: 'tookEffect'; readonly queryIds: readonly string[] }
  | { readonly kind: 'forgetEffects'; readonly before: Date }
  | {
      readonly kind: 'readResult'
      readonly queryId: string
      readonly window: WindowOrder
    }
  | { readonly kind: 'readCell'; readonly queryId: string; readonly place: { row: number; column: number } }
  | {
      readonly kind: 'exportResult'
      readonly queryId: string
      readonly format: ExportFormat
      readonly file: string
    }
  | { readonly kind: 'dropResults'; readonly queryIds: readonly string[] }
  | { readonly kind: 'listResults' }
  /** Answered at once by a process that lives. */
  | { readonly kind: 'ping' }
  | { readonly kind: 'stop' }

export interface Answers {
  start: null
  open: null
  execute: Outcome
  cancel: null
  close: null
  resize: null
  tookEffect: ReadonlyMap<string, Effect>
  forgetEffects: null
  readResult: Awaited<ReturnType<KeptResults['read']>>
  readCell: Awaited<ReturnType<KeptResults['cell']>>
  exportResult: Awaited<ReturnType<KeptResults['export']>>
  dropResults: null
  listResults: Awaited<ReturnType<KeptResults['list']>>
  ping: null
  stop: null
}

/** What needs no answer. */
export interface Hint {
  readonly kind: 'makeReady'
  readonly session: number
  readonly sql: string
  readonly options: ExecuteOptions
}

export type Request = ({ readonly id: number } & Ask) | Hint

/** What a host process says. */
export type Report =
  | { readonly kind: 'answer'; readonly id: number; readonly answer: Answers[keyof Answers] }
  /** `error` is there when it is about the session's state or a kept result, and not about the engine. */
  | { readonly kind: 'refusal'; readonly id: number; readonly message: string; readonly error?: EngineError }
  | { readonly kind: 'progress'; readonly id: number; readonly progress: Progress }
  /** For whoever runs the service: no answer depends on it. */
  | { readonly kind: 'trouble'; readonly message: string }
  /** The last word of a host that ends by itself. */
  | { readonly kind: 'dying'; readonly reason: string }
