import { z } from 'zod/mini'
import { defineCall } from './call.ts'
import { LIMITS } from './limits.ts'

/**
 * A change of a text, as CodeMirror writes it: a number of characters that stay, or how many are replaced, with the lines
 * that take their place. The numbers cover the whole text.
 */
const TextChange = z.array(
  z.union([
    z.int().check(z.gte(0)),
    z.array(z.union([z.int().check(z.gte(0)), z.string()])).check(z.minLength(1)),
  ]),
)
export type TextChange = z.infer<typeof TextChange>

/** A window of an editor: what it sent and never heard of is recognised by it. */
const ClientId = z.string().check(z.minLength(1), z.maxLength(64))

const TextUpdate = z.object({
  /** Empty: somebody saved a whole text. */
  clientId: z.string(),
  changes: TextChange,
})
export type TextUpdate = z.infer<typeof TextUpdate>

const Offset = z.int().check(z.gte(0))

/** Where somebody is in a text. Not stored. */
export const Presence = z.object({
  tabId: z.uuid(),
  clientId: ClientId,
  anchor: Offset,
  head: Offset,
  /** False: they have left it. */
  isHere: z.boolean(),
})
export type Presence = z.infer<typeof Presence>

/** As others hear of it. */
export const SeenPresence = z.extend(Presence, { user: z.string() })
export type SeenPresence = z.infer<typeof SeenPresence>

export const liveCalls = {
  /**
   * All or nothing, and only over the latest revision: who is behind is answered what they missed, moves their changes
   * behind it and sends them again. Each change is a revision.
   */
  pushChanges: defineCall({
    takesLarge: true,
    path: '/editor/push-changes',
    summary:
      'Change the text of a shared query together with others, and get what they changed since a revision',
    needs: 'login',
    silent: true,
    input: z.object({
      tabId: z.uuid(),
      clientId: ClientId,
      revision: z.int(),
      changes: z.array(TextChange).check(z.maxLength(LIMITS.liveChanges)),
    }),
    output: z.object({
      isAccepted: z.boolean(),
      /** The changes since that revision are not kept any more: the whole text must be fetched. */
      isStale: z.boolean(),
      /** In their order, with those just accepted. There can be more. */
      updates: z.array(TextUpdate),
    }),
    fails: ['NotFound', 'NoPermission', 'BadInput', 'ReadOnly', 'QuotaExceeded'],
  }),
  present: defineCall({
    path: '/editor/present',
    summary: 'Show others who have a shared query open where you are in it',
    needs: 'login',
    silent: true,
    input: Presence,
    output: z.object({}),
    fails: ['NotFound'],
  }),
}
