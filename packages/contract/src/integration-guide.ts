import { quoted } from './quoted.ts'

/** The tabs of the list, beside the one that shows all. */
export const GUIDE_TABS = ['cloud', 'bi', 'others'] as const
type GuideTab = (typeof GUIDE_TABS)[number]

const GUIDE_DOORS = ['mysql', 'ingest', 'mcp'] as const

/** A guide as it is kept: a page of Markdown with a head, and places for what is known only here and now. */
export interface IntegrationGuide {
  /** As in its address. */
  readonly name: string
  readonly title: string
  readonly tab: GuideTab
  readonly summary: string
  /** By which door the program comes in; null where it does not. */
  readonly door: (typeof GUIDE_DOORS)[number] | null
  readonly text: string
}

/** What a guide is filled with. */
export interface GuideFacts {
  readonly account: string
  /** Without the account. */
  readonly userName: string
  readonly host: string
  readonly port: number
  /** No client trusts the certificate: they encrypt without checking it. */
  readonly ownCertificate: boolean
  readonly catalog: string
  readonly databaseName: string
  readonly table: string
  readonly warehouse: string
  /** Of this service, as in `https://lake.example`. */
  readonly origin: string
  readonly ingest: { readonly scheme: string; readonly host: string; readonly port: number }
  /** For the trust policy of a role of AWS; missing where it is not known, or not for the reader. */
  readonly awsPrincipal?: string | undefined
  readonly awsExternalId?: string | undefined
}

const HEAD = /^---\n([\s\S]*?)\n---\n/

const doorOf = (text: string | undefined) => GUIDE_DOORS.find((door) => door === text) ?? null

export function readIntegrationGuide(name: string, source: string): IntegrationGuide {
  const [head = '', lines = ''] = HEAD.exec(source) ?? []
  const facts = new Map(
    lines.split('\n').map((line): [string, string] => {
      const at = line.indexOf(':')
      return [line.slice(0, at), line.slice(at + 1).trim()]
    }),
  )
  return {
    name,
    title: facts.get('title') ?? name,
    tab: GUIDE_TABS.find((tab) => tab === facts.get('tab')) ?? 'others',
    summary: facts.get('summary') ?? '',
    door: doorOf(facts.get('door')),
    text: source.slice(head.length).trim(),
  }
}

/** What makes each kind of client encrypt: with a check of the certificate where an authority has signed it. */
const tlsOf = (isOwn: boolean) => ({
  mariadbTls: isOwn ? '--ssl' : '--ssl --ssl-verify-server-cert',
  jdbcTls: isOwn ? 'REQUIRED' : 'VERIFY_IDENTITY',
  mariadbJdbcTls: isOwn ? 'useSSL=true&trustServerCertificate=true' : 'useSSL=true',
  pythonTls: isOwn ? 'tls.check_hostname, tls.verify_mode = False, ssl.CERT_NONE' : '',
  uriTls: isOwn ? 'ssl_check_hostname=false' : 'ssl_ca=/etc/ssl/certs/ca-certificates.crt',
  connectorTls: isOwn ? 'false' : 'true',
  nodeTls: isOwn ? 'false' : 'true',
  goTls: isOwn ? 'skip-verify' : 'true',
  grafanaSkipTls: isOwn ? 'true' : 'false',
  odbcTls: isOwn ? '0' : '1',
  mysqlclientTls: isOwn ? 'REQUIRED' : 'VERIFY_IDENTITY',
})

function valuesOf(facts: GuideFacts): ReadonlyMap<string, string> {
  const { account, userName, catalog, databaseName, ingest, ownCertificate, port, ...others } = facts
  const {
    awsPrincipal = 'ARN_OF_THIS_SERVICE',
    awsExternalId = 'EXTERNAL_ID_OF_THIS_ACCOUNT',
    ...texts
  } = others
  return new Map(
    Object.entries({
      ...texts,
      awsPrincipal,
      awsExternalId,
      ...tlsOf(ownCertificate),
      account,
      userName,
      user: `${account}.${userName}`,
      port: String(port),
      address: `${quoted.host(facts.host)}:${port}`,
      warehouseAttribute: `warehouse:${facts.warehouse}`,
      goAttributes: `program_name:example,warehouse:${facts.warehouse}`,
      catalog,
      databaseName,
      database: `${catalog}.${databaseName}`,
      ingestHost: ingest.host,
      ingestPort: String(ingest.port),
      ingestUrl: `${ingest.scheme}://${quoted.host(ingest.host)}:${ingest.port}`,
    }),
  )
}

const PLACE = /\{\{(\w+)(?:\|(\w+))?\}\}/g
/** A line of nothing but one place is left out where that is empty. */
const ONLY_PLACE = /^[ \t]*\{\{(\w+)\}\}\n/gm

const isQuoting = (name: string): name is keyof typeof quoted => name in quoted

/**
 * `{{user}}` becomes the user of the reader, `{{user|shell}}` the same as a shell takes it; others are in `quoted`.
 * What is not known stays as it is written, which a test refuses.
 */
export function fillGuide(text: string, facts: GuideFacts): string {
  const values = valuesOf(facts)
  return text
    .replaceAll(ONLY_PLACE, (line, name: string) => (values.get(name) === '' ? '' : line))
    .replaceAll(PLACE, (place, name: string, quoting: string | undefined) => {
      const value = values.get(name)
      if (value === undefined) return place
      if (quoting === undefined) return value
      return isQuoting(quoting) ? quoted[quoting](value) : place
    })
}
