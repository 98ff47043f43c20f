import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'
import { UnreadMessage } from './user.ts'

/** Everyone's own. */
export const messageCalls = {
  listMessages: defineCall({
    path: '/user/list-messages',
    summary: 'List your messages from the service, newest first; `cursor` is the last messageId seen',
    needs: 'login',
    silent: true,
    whileFrozen: true,
    input: z.object({
      cursor: z._default(z.nullable(z.uuid()), null),
      limit: z._default(z.int().check(z.gte(1), z.lte(LIMITS.pageSize)), 20),
    }),
    output: z.object({ messages: z.array(UnreadMessage), nextCursor: z.nullable(z.string()) }),
  }),
}
