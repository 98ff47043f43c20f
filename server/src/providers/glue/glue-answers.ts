import { z } from 'zod'
import { Partition, Table } from '../hive/table-answers.ts'

/** Pages as Glue answers them; what is not used is left out. */
const next = { NextToken: z.nullish(z.string()) }

export const Databases = z.object({
  DatabaseList: z.array(z.object({ Name: z.string().min(1).max(1000) })),
  ...next,
})
export const Tables = z.object({ TableList: z.array(Table), ...next })
export const OneTable = z.object({ Table })
export const Partitions = z.object({ Partitions: z.nullish(z.array(Partition)), ...next })
