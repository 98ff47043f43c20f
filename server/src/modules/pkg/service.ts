import type { InstalledPackage } from '@boathouse/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../../store/schema.ts'
import { databaseVersion } from './store.ts'

/** A part of an engine that is installed beside it. */
interface Extension {
  readonly name: string
  readonly isInstalled: boolean
  /** What it is for. */
  readonly purpose: string
}

interface PackagesOptions {
  readonly db: Kysely<Schema>
  readonly version: string
  readonly storeMode: 'embedded' | 'external'
  readonly engines: readonly { readonly label: string; readonly version: string }[]
  readonly extensions: () => Promise<readonly Extension[]>
  readonly mysqlEndpoint: () => { readonly listening: boolean; readonly port: number }
}

/** What runs here, for people who ask which version has which defect. */
export function createPackages(options: PackagesOptions) {
  const { db, version, storeMode, engines, extensions, mysqlEndpoint } = options

  return {
    async list(): Promise<InstalledPackage[]> {
      const mysql = mysqlEndpoint()
      const installed = await extensions()
      return [
        { kind: 'service', name: 'Boathouse', version, detail: '', isReady: true },
        {
          kind: 'runtime',
          name: 'Node.js',
          version: process.versions.node,
          detail: `${process.platform} ${process.arch}`,
          isReady: true,
        },
        {
          kind: 'database',
          name: 'PostgreSQL',
          version: await databaseVersion(db),
          detail: storeMode === 'embedded' ? 'Started by this service' : 'Run by the operator',
          isReady: true,
        },
        ...engines.map(({ label, version: engineVersion }) => ({
          kind: 'engine' as const,
          name: label,
          version: engineVersion,
          detail: '',
          isReady: true,
        })),
        ...installed.map(({ name, isInstalled, purpose }) => ({
          kind: 'extension' as const,
          name,
          version: '',
          detail: purpose,
          isReady: isInstalled,
        })),
        {
          kind: 'endpoint',
          name: 'MySQL protocol',
          version: '',
          detail: mysql.listening ? `Port ${mysql.port}` : 'Not listening',
          isReady: mysql.listening,
        },
      ]
    },
  }
}

export type Packages = ReturnType<typeof createPackages>
