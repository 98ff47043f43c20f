import { z } from 'zod/mini'

/** What every call answers. `data` is null unless `code` is 20000. */
export const Envelope = z.object({ code: z.int(), message: z.string(), data: z.unknown() })
export type Envelope = z.infer<typeof Envelope>
