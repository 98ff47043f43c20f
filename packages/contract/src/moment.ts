import { z } from 'zod/mini'

/** With its zone: a time that a clock shows twice is one of both. */
export const Moment = z.string().check(
  z.regex(
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)$/,
    'Enter a time in the format 2026-03-01T09:00:00Z',
  ),
  z.refine((text) => !Number.isNaN(Date.parse(text)), 'This time does not exist'),
)
