import { ClientMessage, type QueryReq } from '@boathouse/contract'
import { z } from 'zod'
import type { ReadJson } from '../../kernel/json/parse.ts'

const NO_MESSAGE = 'A message is JSON text with a cmd of 1, 2 or 3.'

export interface UnreadMessage {
  readonly message?: never
  /** What is wrong with it, in one sentence. */
  readonly problem: string
  /** As much of a query as is there, when it says which one it is: then its requester can be answered. */
  readonly query?: QueryReq
}

/** A query of which nothing is sure but its id. */
const NamedQuery = z.object({
  cmd: z.literal(2),
  queryReq: z.object({
    requestId: z.string().max(64),
    channel: z.string().max(64).catch(''),
    connId: z.int().catch(0),
    oriConnId: z.int().catch(0),
    sql: z.string().catch(''),
  }),
})

/** CHANNEL-24 to CHANNEL-26. `json` is null for a message that is not text. */
export function readMessage(json: ReadJson | null): { readonly message: ClientMessage } | UnreadMessage {
  if (!json) return { problem: NO_MESSAGE }
  if (json.problem !== undefined) return { problem: `${NO_MESSAGE} This one ${json.problem}` }
  const parsed = ClientMessage.safeParse(json.value)
  if (parsed.success) return { message: parsed.data }
  const [issue] = parsed.error.issues
  const problem = `The message cannot be read: ${issue?.path.join('.') || 'cmd'}: ${issue?.message ?? 'not known'}.`
  const named = NamedQuery.safeParse(json.value)
  return named.success ? { problem, query: named.data.queryReq } : { problem }
}
