import { z } from 'zod'
import { CloudProviderId, OtherRegions } from './other-regions.ts'
import type { Setting } from './settings.ts'

/** Settings of a service with several regions, each with a server of its own. */
export const REGION_SETTINGS = {
  BOATHOUSE_CSP: {
    schema: CloudProviderId,
    fallback: 'local',
    expects: 'local, aws, azure, gcp or another name of lower-case letters, digits and dashes',
    meaning: 'Cloud provider of this server',
  },
  BOATHOUSE_REGIONS: {
    schema: OtherRegions,
    fallback: undefined,
    expects: 'region@provider=address such as eu-1@aws=https://eu-1.example.com, a comma between two of them',
    meaning: 'On the central server: the other regions, in which accounts can be created',
  },
  BOATHOUSE_REGIONS_SECRET: {
    schema: z.string().min(32).max(256),
    fallback: undefined,
    expects: 'a random text of at least 32 characters',
    meaning:
      "On the central server: from it comes the secret of each region, which 'npx boathouse region secret' shows; required with BOATHOUSE_REGIONS",
    secret: true,
  },
  BOATHOUSE_CENTRAL_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: undefined,
    expects: 'an http or https address',
    meaning:
      'On the server of a region: the central server, which has the organisations and their bills; not set, this server is the central one',
  },
  BOATHOUSE_CENTRAL_SECRET: {
    schema: z.string().min(32).max(256),
    fallback: undefined,
    expects: 'the secret of this region',
    meaning:
      "On the server of a region: what 'npx boathouse region secret' shows on the central server; required with BOATHOUSE_CENTRAL_URL",
    secret: true,
  },
} as const satisfies Record<string, Setting>
