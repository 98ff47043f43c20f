import { z } from 'zod/mini'
import { defineCall } from './call.ts'

const PackageKind = z.enum(['service', 'runtime', 'database', 'engine', 'extension', 'endpoint'])

export const InstalledPackage = z.object({
  kind: PackageKind,
  name: z.string(),
  /** Empty of an endpoint, and of an extension that is not there. */
  version: z.string(),
  /** For people: what it is for, or where it is. */
  detail: z.string(),
  /** False of an extension that is not installed, and of an endpoint that does not listen. */
  isReady: z.boolean(),
})
export type InstalledPackage = z.infer<typeof InstalledPackage>

export const pkg = {
  list: defineCall({
    path: '/pkg/list',
    summary: 'List the versions of the service, its database, engines and extensions, and its endpoints',
    needs: 'login',
    input: z.object({}),
    output: z.object({ packages: z.array(InstalledPackage) }),
  }),
}
