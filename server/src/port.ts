import { z } from 'zod'

/** 0 takes any free one. */
export const Port = z.coerce.number().int().min(0).max(65535)
