import { X509Certificate } from 'node:crypto'
import { Agent } from 'node:https'
import { rootCertificates } from 'node:tls'
import { ClusterRefused } from '../refused.ts'
import { SERVICE_USER } from '../service-token.ts'
import { fetchWith } from './secure-fetch.ts'

/** How a cluster that exists already is reached, and as whom. */
export interface ExistingAddress {
  /** `https://` with a name and a port, without a path. */
  readonly url: string
  /** Of the service, as the cluster knows it. */
  readonly user: string
  readonly credential: { readonly password: string } | { readonly token: string }
  /** Certificates that may sign the cluster's beside those that everybody trusts, as PEM. */
  readonly certificates?: string | undefined
}

/** What the service sends with every request goes to this address alone. */
export interface ExistingLine {
  readonly url: string
  readonly fetch: typeof fetch
  headersFor(user: string): Readonly<Record<string, string>>
  /** Links in answers begin with what the coordinator believes to be its address. */
  addressOf(link: string): string
  close(): void
}

/** Throws a `ClusterRefused` for a text without a certificate. */
export function openLine({ url, user, credential, certificates }: ExistingAddress): ExistingLine {
  requireCertificates(certificates)
  const agent = new Agent({
    keepAlive: true,
    ...(certificates !== undefined && { ca: [...rootCertificates, certificates] }),
  })
  const { origin } = new URL(url)
  const authorization =
    'token' in credential
      ? `Bearer ${credential.token}`
      : `Basic ${Buffer.from(`${user}:${credential.password}`).toString('base64')}`
  return {
    url: origin,
    fetch: fetchWith(agent),
    headersFor: (sender) => ({ authorization, 'x-trino-user': sender === SERVICE_USER ? user : sender }),
    addressOf(link) {
      const { pathname, search } = new URL(link, origin)
      return `${origin}${pathname}${search}`
    },
    close: () => agent.destroy(),
  }
}

function requireCertificates(pem: string | undefined): void {
  if (pem !== undefined && !hasCertificate(pem))
    throw new ClusterRefused('BOATHOUSE_TRINO_CA: the file has no certificate in PEM.')
}

function hasCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}
