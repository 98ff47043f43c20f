import { z } from 'zod/mini'
import { defineCall } from './call.ts'

const Bundle = z.object({
  /** What to call the file. */
  fileName: z.string(),
  /** Of the shape that its `form` names. For people who help: nothing else reads it. */
  bundle: z.record(z.string(), z.unknown()),
})
export type Bundle = z.infer<typeof Bundle>

/** What to send to somebody who helps. Texts, numbers and comments of statements are hidden; there are no rows in it. */
export const diagnose = {
  statement: defineCall({
    path: '/diagnose/statement',
    summary: 'Get a diagnostic bundle about one statement, without data and secrets',
    needs: 'login',
    input: z.object({ queryId: z.uuid() }),
    output: Bundle,
    fails: ['NotFound'],
  }),
  warehouse: defineCall({
    path: '/diagnose/warehouse',
    summary: 'Get a diagnostic bundle about one warehouse, without data and secrets',
    needs: 'login',
    input: z.object({ warehouseId: z.uuid() }),
    output: Bundle,
    fails: ['NotFound'],
  }),
}
