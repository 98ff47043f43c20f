import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { noneIfUnreadable, writePrivate } from './private-files.ts'

/** What only the service and the processes of one cluster know. */
export interface ClusterSecrets {
  /** By which nodes know one another, and nobody else is taken for a node. */
  readonly shared: string
  /** Signs what the service sends; base64. */
  readonly tokenKey: string
  /** Of the cluster's own role in the database of catalogs. */
  readonly catalogPassword: string
  /** By which it asks the service for catalogs over data elsewhere. */
  readonly relayToken: string
}

const FILE = 'secrets.json'
const hex = (): string => randomBytes(24).toString('hex')
const random = (): string => randomBytes(48).toString('base64')

/** Those of an earlier start, so that its processes are still known; made when there are none. */
export async function openSecrets(directory: string): Promise<ClusterSecrets> {
  const known = await readSecrets(directory)
  if (known) return known
  const secrets = { shared: random(), tokenKey: random(), catalogPassword: hex(), relayToken: hex() }
  await writePrivate(join(directory, FILE), JSON.stringify(secrets))
  return secrets
}

/** Null when there are none, or a file that nobody can use. */
async function readSecrets(directory: string): Promise<ClusterSecrets | null> {
  try {
    const { shared, tokenKey, catalogPassword, relayToken } = JSON.parse(
      await readFile(join(directory, FILE), 'utf8'),
    ) as Partial<ClusterSecrets>
    return shared && tokenKey && catalogPassword && relayToken
      ? { shared, tokenKey, catalogPassword, relayToken }
      : null
  } catch (error) {
    return noneIfUnreadable(error)
  }
}
