import { readRanges } from '@boathouse/contract'
import { z } from 'zod'
import { Port } from './port.ts'
import type { Setting } from './settings.ts'

/** Settings of private links: the network in front of them, and where their clients connect. */
export const PRIVATE_LINK_SETTINGS = {
  BOATHOUSE_PRIVATE_LINK: {
    schema: z.enum(['local', 'aws']),
    fallback: 'local',
    expects: 'local or aws',
    meaning:
      'Network of private links: local, in which clients are known by their addresses, or a VPC endpoint service of AWS',
  },
  BOATHOUSE_PRIVATE_LINK_HOST: {
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    expects: 'an address of this machine in the private network',
    meaning: 'Address on which clients of private links connect',
  },
  BOATHOUSE_PRIVATE_LINK_HTTP_PORT: {
    schema: z.union([z.literal('off'), Port]),
    fallback: 'off',
    expects: 'a port from 0 to 65535 (0 takes any free one), or off',
    meaning: 'Port of the console, the API and stream load for clients of private links; off closes it',
  },
  BOATHOUSE_PRIVATE_LINK_MYSQL_PORT: {
    schema: z.union([z.literal('off'), Port]),
    fallback: 'off',
    expects: 'a port from 0 to 65535 (0 takes any free one), or off',
    meaning: 'Port of the MySQL-protocol endpoint for clients of private links; off closes it',
  },
  BOATHOUSE_PRIVATE_LINK_PROXIES: {
    schema: z.string().refine((list) => readRanges(list) !== null),
    fallback: undefined,
    expects: 'IPv4 addresses and CIDR ranges, a comma between two of them',
    meaning:
      'Load balancers that send PROXY protocol v2 to both; required with aws. Not set: clients connect without one',
  },
  BOATHOUSE_PRIVATE_LINK_SERVICE: {
    schema: z.string().regex(/^vpce-svc-[0-9a-f]{8,17}$/),
    fallback: undefined,
    expects: 'an ID that begins with vpce-svc-',
    meaning: 'VPC endpoint service of AWS in front of both; required with BOATHOUSE_PRIVATE_LINK=aws',
  },
} as const satisfies Record<string, Setting>
