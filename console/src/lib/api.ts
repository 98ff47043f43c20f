export { CallError, type FailureName, isCallError } from '@boathouse/client/call-error'
export { type CallEvent, callEvents } from './call-events.ts'

export {
  callQuery,
  createQueryClient,
  fillsPage,
  queryKeyOf,
  useAction,
  useActions,
  useCall,
} from './queries.ts'
export { send } from './send.ts'
