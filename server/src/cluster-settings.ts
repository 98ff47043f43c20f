import { z } from 'zod'
import { OpenCatalogs } from './open-catalogs.ts'
import type { Setting } from './settings.ts'

/** Settings of warehouses that are clusters: on this machine, or in one that exists already. */
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
  BOATHOUSE_TRINO_URL: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'an address such as https://trino.internal:8443, without a path',
    meaning: 'Coordinator of a cluster that exists already, in the place of BOATHOUSE_TRINO_HOME',
  },
  BOATHOUSE_TRINO_USER: {
    schema: z.string().regex(/^[\x21-\x39\x3b-\x7e]{1,128}$/),
    fallback: undefined,
    expects: 'a name of at most 128 characters without spaces and colons',
    meaning: 'User of that cluster as whom the service comes in; it must be allowed to act for others',
  },
  BOATHOUSE_TRINO_PASSWORD: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'a password',
    meaning: 'Its password there, or BOATHOUSE_TRINO_TOKEN',
    secret: true,
  },
  BOATHOUSE_TRINO_TOKEN: {
    schema: z.string().regex(/^[\x21-\x7e]+$/),
    fallback: undefined,
    expects: 'a token without spaces',
    meaning: 'JSON web token by which the service comes in to that cluster',
    secret: true,
  },
  BOATHOUSE_TRINO_CA: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'a file with certificates in PEM',
    meaning: 'Who may have signed the certificate of that cluster, beside those that everybody trusts',
  },
  BOATHOUSE_TRINO_CATALOGS: {
    schema: OpenCatalogs,
    fallback: undefined,
    expects: 'a list such as sales@ACCOUNT,web@*',
    meaning:
      'Catalogs of that cluster, each with the account that sees it, or * for all; none sees any other',
  },
} as const satisfies Record<string, Setting>
