import { z } from 'zod'
import type { Setting } from './settings.ts'

/** Settings of warehouses that are clusters on this machine. */
export const CLUSTER_SETTINGS = {
  BOATHOUSE_TRINO_HOME: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'a folder with an unpacked Trino server of version 476 or newer and its plugin iceberg',
    meaning: 'Server of warehouses that are clusters; without it all run in the embedded engine',
  },
  BOATHOUSE_TRINO_JDK: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'a folder with Java 24 or newer',
    meaning: 'Java for the nodes of clusters; by default the one in JAVA_HOME',
  },
  BOATHOUSE_TRINO_HEAP_MB: {
    schema: z.coerce.number().int().min(512).max(1_048_576),
    fallback: '1024',
    expects: 'a number of megabytes from 512 on',
    meaning: 'Memory of each worker of a cluster; a unit of the size of a warehouse is one worker',
  },
  BOATHOUSE_TRINO_WORKERS: {
    schema: z.coerce.number().int().min(1).max(1000),
    fallback: undefined,
    expects: 'a number from 1 to 1000',
    meaning: 'Workers that a cluster may have; by default as many as the memory of this machine allows',
  },
  BOATHOUSE_TRINO_TPCH: {
    schema: z.enum(['true', 'false']).transform((value) => value === 'true'),
    fallback: 'false',
    expects: 'true or false; true needs the plugin tpch',
    meaning:
      'Whether clusters have the catalog tpch: sample data that is made as it is read, for administrators',
  },
} as const satisfies Record<string, Setting>
