import type { CallError } from '@boathouse/client/call-error'
import { createEmitter } from '@boathouse/client/emitter'
import type { Call } from '@boathouse/contract/call'
import type { Toast } from './call-toast.ts'

export type CallEvent =
  /** API-19, CHANNEL-39: the login has ended. */
  | { readonly type: 'relogin' }
  /** API-15 */
  | { readonly type: 'ipBlocked'; readonly ip: string }
  /** API-17 */
  | { readonly type: 'ipClear' }
  /** A failure the user is to be told about; `toast` says how. */
  | { readonly type: 'failed'; readonly error: CallError; readonly call: Call; readonly toast: Toast }

/** What calls and the channel tell the application beside their result: `callEvents.subscribe(listener)`. */
export const callEvents = createEmitter<CallEvent>()
