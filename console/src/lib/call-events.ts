import type { CallError } from '@boathouse/client/call-error'
import { createEmitter } from '@boathouse/client/emitter'
import type { Call } from '@boathouse/contract/call'
import type { Toast } from './call-toast.ts'

export type CallEvent =
  /** The login has ended. */
  | { readonly type: 'relogin' }
  | { readonly type: 'ipBlocked'; readonly ip: string }
  | { readonly type: 'ipClear' }
  /** A failure that the user should see; `toast` says how. */
  | { readonly type: 'failed'; readonly error: CallError; readonly call: Call; readonly toast: Toast }

/** What calls and the channel report to the application beside their result: `callEvents.subscribe(listener)`. */
export const callEvents = createEmitter<CallEvent>()
