import { readFile } from 'node:fs/promises'
import type { Config } from './config.ts'
import type { OpenCatalog } from './open-catalogs.ts'
import { type ExistingAddress, openLine } from './providers/trino/existing/line.ts'
import { catalogsOf, requireStarted } from './providers/trino/existing/questions.ts'
import { ClusterRefused } from './providers/trino/refused.ts'

/** A cluster that exists already, as it is configured: whether it answers is seen whenever it is used. */
export interface ExistingOffer {
  readonly address: ExistingAddress
  readonly open: readonly OpenCatalog[]
}

const LOOK_MS = 5_000

/** Rejects with a `ClusterRefused` that says what is missing, without a secret. */
export async function findExistingCluster({ home, existing }: Config['clusters']): Promise<ExistingOffer> {
  const { url = '', user, certificates: file, catalogs: open } = existing
  if (home !== undefined)
    throw new ClusterRefused('BOATHOUSE_TRINO_HOME and BOATHOUSE_TRINO_URL are both set. Set one of them.')
  requireAddress(url)
  if (user === undefined)
    throw new ClusterRefused(
      'BOATHOUSE_TRINO_USER is not set. The service comes in to the cluster as a user.',
    )
  const credential = credentialIn(existing)
  if (open.length === 0)
    throw new ClusterRefused(
      'BOATHOUSE_TRINO_CATALOGS is not set. It says which catalogs of the cluster which account sees.',
    )
  const certificates = file === undefined ? undefined : await certificatesIn(file)
  const address: ExistingAddress = { url, user, credential, certificates }
  // Throws for a file without a certificate.
  openLine(address).close()
  return { address, open }
}

/** How it is at this moment, as a sentence. */
export async function stateOf({ address, open }: ExistingOffer): Promise<string> {
  const line = openLine(address)
  try {
    await requireStarted(line, LOOK_MS)
    const known = await catalogsOf(line, LOOK_MS)
    const missing = [...new Set(open.map(({ catalog }) => catalog))].filter((name) => !known.includes(name))
    return missing.length === 0
      ? 'It answers.'
      : `It answers, but does not show the service these catalogs: ${missing.join(', ')}.`
  } catch (error) {
    if (error instanceof ClusterRefused) return error.message
    throw error
  } finally {
    line.close()
  }
}

/** What is wrong with it is not shown: there may be a password in it. */
function requireAddress(url: string): void {
  const address = URL.canParse(url) ? new URL(url) : null
  const isPlain = address && address.pathname === '/' && address.search === '' && address.username === ''
  if (address?.protocol === 'https:' && isPlain && address.password === '') return
  throw new ClusterRefused(
    'BOATHOUSE_TRINO_URL is not an address such as https://trino.internal:8443: with TLS, and without a path or a user.',
  )
}

function credentialIn({ password, token }: Config['clusters']['existing']): ExistingAddress['credential'] {
  if (password !== undefined && token !== undefined)
    throw new ClusterRefused(
      'BOATHOUSE_TRINO_PASSWORD and BOATHOUSE_TRINO_TOKEN are both set. Set one of them.',
    )
  if (password !== undefined) return { password }
  if (token !== undefined) return { token }
  throw new ClusterRefused(
    'Neither BOATHOUSE_TRINO_PASSWORD nor BOATHOUSE_TRINO_TOKEN is set. The service needs one of them to come in to the cluster.',
  )
}

async function certificatesIn(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw new ClusterRefused(`BOATHOUSE_TRINO_CA: ${file} cannot be read.`, { cause: error })
  }
}
