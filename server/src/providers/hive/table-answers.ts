import { z } from 'zod'

/** As AWS Glue has them, whose form is that of Hive; what is not used is left out. */
const Parameters = z.nullish(z.record(z.string(), z.string()))

const Column = z.object({ Name: z.string().max(1000), Type: z.nullish(z.string().max(131_072)) })

const Storage = z.object({
  Columns: z.nullish(z.array(Column)),
  Location: z.nullish(z.string()),
  InputFormat: z.nullish(z.string()),
  SerdeInfo: z.nullish(z.object({ SerializationLibrary: z.nullish(z.string()), Parameters })),
})

export const Table = z.object({
  Name: z.string().min(1).max(1000),
  TableType: z.nullish(z.string()),
  StorageDescriptor: z.nullish(Storage),
  PartitionKeys: z.nullish(z.array(Column)),
  Parameters,
  /** It stands for a table of somewhere else. */
  TargetTable: z.nullish(z.unknown()),
})
export type Table = z.infer<typeof Table>

export const Partition = z.object({
  Values: z.array(z.string().max(1024)),
  StorageDescriptor: z.nullish(Storage),
})
export type Partition = z.infer<typeof Partition>
