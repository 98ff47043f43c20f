import { resolve } from 'node:path'
import { readRanges } from '@boathouse/contract'
import { z } from 'zod'
import { isSandboxHost } from './sandbox-host.ts'
import { type Setting, SETTINGS, type SettingName } from './settings.ts'

/** The settings of the server, read and checked once at its start. */

export type Environment = Readonly<Record<string, string | undefined>>

export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

const names = Object.keys(SETTINGS) as SettingName[]

function valueOf<N extends SettingName>(
  env: Environment,
  name: N,
): z.output<(typeof SETTINGS)[N]['schema']> | undefined {
  const setting: Setting = SETTINGS[name]
  const text = env[name] || setting.fallback
  if (text === undefined) return undefined
  const parsed = z.safeParse(setting.schema, text)
  if (parsed.success) return parsed.data as z.output<(typeof SETTINGS)[N]['schema']>
  const shown = setting.secret ? 'The given value' : `'${text}'`
  throw new ConfigError(`${name}: ${shown} is not ${setting.expects}.`)
}

function required<N extends SettingName>(env: Environment, name: N) {
  const value = valueOf(env, name)
  if (value === undefined) throw new ConfigError(`${name} must be set to ${SETTINGS[name].expects}.`)
  return value
}

/** Variables of `boathouse sql`: who has them set can start a server as well. */
const OF_CLIENTS = /^BOATHOUSE_(?:URL|ACCOUNT|USER|PASSWORD|KEY|SQL_HISTORY)$/

/** A misspelt setting would otherwise be ignored in silence. */
function refuseUnknown(env: Environment): void {
  const unknown = Object.keys(env).find(
    (name) =>
      name.startsWith('BOATHOUSE_') &&
      !name.startsWith('BOATHOUSE_TEST_') &&
      !OF_CLIENTS.test(name) &&
      !(name in SETTINGS),
  )
  if (unknown) throw new ConfigError(`${unknown} is not a setting. 'npx boathouse config' lists them all.`)
}

function readSmtp(env: Environment) {
  const url = valueOf(env, 'BOATHOUSE_SMTP_URL')
  const from = valueOf(env, 'BOATHOUSE_MAIL_FROM')
  if (url === undefined) return undefined
  if (from === undefined)
    throw new ConfigError(
      `BOATHOUSE_MAIL_FROM must be set to ${SETTINGS.BOATHOUSE_MAIL_FROM.expects}, because BOATHOUSE_SMTP_URL is set.`,
    )
  return { url, from }
}

/** Null: there is no assistant. */
function readAssistant(env: Environment) {
  const url = valueOf(env, 'BOATHOUSE_ASSISTANT_URL')
  const model = valueOf(env, 'BOATHOUSE_ASSISTANT_MODEL')
  const key = valueOf(env, 'BOATHOUSE_ASSISTANT_KEY')
  if ((url === undefined) !== (model === undefined) || (url === undefined && key !== undefined))
    throw new ConfigError(
      'BOATHOUSE_ASSISTANT_URL and BOATHOUSE_ASSISTANT_MODEL are set together, with BOATHOUSE_ASSISTANT_KEY where it needs one.',
    )
  return url === undefined || model === undefined ? null : { url, model, key }
}

/** Null: the endpoint is closed. */
function readMysql(env: Environment) {
  const port = required(env, 'BOATHOUSE_MYSQL_PORT')
  const certificate = valueOf(env, 'BOATHOUSE_MYSQL_TLS_CERT')
  const key = valueOf(env, 'BOATHOUSE_MYSQL_TLS_KEY')
  if ((certificate === undefined) !== (key === undefined))
    throw new ConfigError(
      'BOATHOUSE_MYSQL_TLS_CERT and BOATHOUSE_MYSQL_TLS_KEY are set together or not at all.',
    )
  const host = required(env, 'BOATHOUSE_MYSQL_HOST')
  const requiresTls = required(env, 'BOATHOUSE_MYSQL_TLS') === 'required'
  const allowsLocalFiles = required(env, 'BOATHOUSE_MYSQL_LOCAL_INFILE')
  if (port === 'off') return null
  const files =
    certificate === undefined || key === undefined
      ? null
      : { certificate: resolve(certificate), key: resolve(key) }
  return { host, port, requiresTls, allowsLocalFiles, files }
}

/** Null: the service is nobody to AWS, and no role can be assumed. */
function readAws(env: Environment) {
  const accessKey = valueOf(env, 'BOATHOUSE_AWS_ACCESS_KEY')
  const secretKey = valueOf(env, 'BOATHOUSE_AWS_SECRET_KEY')
  if ((accessKey === undefined) !== (secretKey === undefined))
    throw new ConfigError(
      'BOATHOUSE_AWS_ACCESS_KEY and BOATHOUSE_AWS_SECRET_KEY are set together or not at all.',
    )
  if (accessKey === undefined || secretKey === undefined) return null
  const region = required(env, 'BOATHOUSE_AWS_REGION')
  return {
    accessKey,
    secretKey,
    region,
    stsUrl: valueOf(env, 'BOATHOUSE_AWS_STS_URL') ?? '',
    ec2Url: valueOf(env, 'BOATHOUSE_AWS_EC2_URL') ?? '',
  }
}

const openPort = (given: 'off' | number): number | null => (given === 'off' ? null : given)

/** The network of private links, and what listens there; null ports: nothing. */
function readPrivateLink(env: Environment) {
  const host = required(env, 'BOATHOUSE_PRIVATE_LINK_HOST')
  const httpPort = openPort(required(env, 'BOATHOUSE_PRIVATE_LINK_HTTP_PORT'))
  const mysqlPort = openPort(required(env, 'BOATHOUSE_PRIVATE_LINK_MYSQL_PORT'))
  const proxyList = valueOf(env, 'BOATHOUSE_PRIVATE_LINK_PROXIES')
  const proxies = proxyList === undefined ? null : (readRanges(proxyList) ?? [])
  const serviceId = valueOf(env, 'BOATHOUSE_PRIVATE_LINK_SERVICE')
  const isAws = required(env, 'BOATHOUSE_PRIVATE_LINK') === 'aws'
  if (mysqlPort !== null && required(env, 'BOATHOUSE_MYSQL_PORT') === 'off')
    throw new ConfigError('BOATHOUSE_PRIVATE_LINK_MYSQL_PORT needs BOATHOUSE_MYSQL_PORT, which is off.')
  if (isAws && (serviceId === undefined || readAws(env) === null || proxies === null))
    throw new ConfigError(
      'BOATHOUSE_PRIVATE_LINK=aws needs BOATHOUSE_PRIVATE_LINK_SERVICE, BOATHOUSE_PRIVATE_LINK_PROXIES, BOATHOUSE_AWS_ACCESS_KEY and BOATHOUSE_AWS_SECRET_KEY.',
    )
  if (!isAws && (serviceId !== undefined || proxies !== null))
    throw new ConfigError(
      'BOATHOUSE_PRIVATE_LINK_SERVICE and BOATHOUSE_PRIVATE_LINK_PROXIES are for BOATHOUSE_PRIVATE_LINK=aws.',
    )
  return { host, httpPort, mysqlPort, proxies, serviceId: serviceId ?? null }
}

/** A server is the central one, with regions or without, or that of a region. */
function readRegions(env: Environment) {
  const others = valueOf(env, 'BOATHOUSE_REGIONS')
  const secret = valueOf(env, 'BOATHOUSE_REGIONS_SECRET')
  const url = valueOf(env, 'BOATHOUSE_CENTRAL_URL')
  const centralSecret = valueOf(env, 'BOATHOUSE_CENTRAL_SECRET')
  const regionId = required(env, 'BOATHOUSE_REGION')
  if ((others === undefined) !== (secret === undefined))
    throw new ConfigError('BOATHOUSE_REGIONS and BOATHOUSE_REGIONS_SECRET are set together or not at all.')
  if ((url === undefined) !== (centralSecret === undefined))
    throw new ConfigError(
      'BOATHOUSE_CENTRAL_URL and BOATHOUSE_CENTRAL_SECRET are set together or not at all.',
    )
  if (url !== undefined && others !== undefined)
    throw new ConfigError(
      'BOATHOUSE_REGIONS is for the central server, and BOATHOUSE_CENTRAL_URL for that of a region: set one of them.',
    )
  if (others?.some((other) => other.regionId === regionId))
    throw new ConfigError(`BOATHOUSE_REGIONS: ${regionId} is the region of this server, and not another one.`)
  return {
    own: { regionId, cspId: required(env, 'BOATHOUSE_CSP') },
    others: others ?? [],
    /** Null: there are no other regions. */
    secret: secret ?? null,
    /** Null: this server is the central one. */
    central: url === undefined || centralSecret === undefined ? null : { url, secret: centralSecret },
  }
}

function readMarketplace(env: Environment) {
  const kind = required(env, 'BOATHOUSE_MARKETPLACE')
  if (kind === 'aws' && valueOf(env, 'BOATHOUSE_AWS_ACCESS_KEY') === undefined)
    throw new ConfigError(
      'BOATHOUSE_MARKETPLACE=aws needs BOATHOUSE_AWS_ACCESS_KEY and BOATHOUSE_AWS_SECRET_KEY.',
    )
  return {
    kind,
    dimension: required(env, 'BOATHOUSE_MARKETPLACE_DIMENSION'),
    url: valueOf(env, 'BOATHOUSE_AWS_MARKETPLACE_URL') ?? '',
  }
}

/** Whether they can be had is looked at beside it: the folders may be mounted later than the service is configured. */
const readClusters = (env: Environment) => ({
  home: valueOf(env, 'BOATHOUSE_TRINO_HOME'),
  jdk: valueOf(env, 'BOATHOUSE_TRINO_JDK') ?? env['JAVA_HOME'],
  heapBytes: required(env, 'BOATHOUSE_TRINO_HEAP_MB') * 1024 ** 2,
  mostWorkers: valueOf(env, 'BOATHOUSE_TRINO_WORKERS'),
  hasTpch: required(env, 'BOATHOUSE_TRINO_TPCH'),
  existing: {
    url: valueOf(env, 'BOATHOUSE_TRINO_URL'),
    user: valueOf(env, 'BOATHOUSE_TRINO_USER'),
    password: valueOf(env, 'BOATHOUSE_TRINO_PASSWORD'),
    token: valueOf(env, 'BOATHOUSE_TRINO_TOKEN'),
    certificates: valueOf(env, 'BOATHOUSE_TRINO_CA'),
    catalogs: valueOf(env, 'BOATHOUSE_TRINO_CATALOGS') ?? [],
  },
})

function readConnectionLimits(env: Environment) {
  const perAccount = required(env, 'BOATHOUSE_CONNECTIONS_PER_ACCOUNT')
  const perUser = required(env, 'BOATHOUSE_CONNECTIONS_PER_USER')
  if (perUser > perAccount)
    throw new ConfigError(
      'BOATHOUSE_CONNECTIONS_PER_USER is larger than BOATHOUSE_CONNECTIONS_PER_ACCOUNT: set both.',
    )
  return { perAccount, perUser }
}

const modeOf = (key: string): string | undefined => /^[prs]k_(test|live)_/.exec(key)?.[1]

/** Null: cards are not taken by Stripe. Keys without it, and it without keys, are a mistake. */
function readStripe(env: Environment) {
  const secretKey = valueOf(env, 'BOATHOUSE_STRIPE_SECRET_KEY')
  const publishableKey = valueOf(env, 'BOATHOUSE_STRIPE_PUBLISHABLE_KEY')
  const webhookSecret = valueOf(env, 'BOATHOUSE_STRIPE_WEBHOOK_SECRET')
  const url = required(env, 'BOATHOUSE_STRIPE_URL')
  if (required(env, 'BOATHOUSE_PAYMENT') !== 'stripe') {
    if (secretKey ?? publishableKey ?? webhookSecret)
      throw new ConfigError(
        'Keys of Stripe are set, but BOATHOUSE_PAYMENT is not stripe: set both or neither.',
      )
    return null
  }
  if (!secretKey || !publishableKey || !webhookSecret)
    throw new ConfigError(
      'BOATHOUSE_PAYMENT=stripe needs BOATHOUSE_STRIPE_SECRET_KEY, BOATHOUSE_STRIPE_PUBLISHABLE_KEY and BOATHOUSE_STRIPE_WEBHOOK_SECRET.',
    )
  if (modeOf(secretKey) !== modeOf(publishableKey))
    throw new ConfigError(
      'BOATHOUSE_STRIPE_PUBLISHABLE_KEY and BOATHOUSE_STRIPE_SECRET_KEY must be both for tests or both live.',
    )
  const { protocol, hostname } = new URL(url)
  if (protocol === 'http:' && !['127.0.0.1', '[::1]', 'localhost'].includes(hostname))
    throw new ConfigError(`BOATHOUSE_STRIPE_URL: '${url}' is not ${SETTINGS.BOATHOUSE_STRIPE_URL.expects}.`)
  return { secretKey, publishableKey, webhookSecrets: webhookSecret.split(','), url }
}

/** A weak password is weak everywhere: nobody switches the rule off for a server that strangers reach. */
function readSkipPasswordRule(env: Environment): boolean {
  const publicUrl = valueOf(env, 'BOATHOUSE_PUBLIC_URL')
  const host = publicUrl ? new URL(publicUrl).hostname : required(env, 'BOATHOUSE_HTTP_HOST')
  const isSkipped = required(env, 'BOATHOUSE_SKIP_PASSWORD_RULE')
  if (isSkipped && !isSandboxHost(host))
    throw new ConfigError(
      `BOATHOUSE_SKIP_PASSWORD_RULE is for local and sandbox hosts only, and ${host} is neither. Remove it, or set BOATHOUSE_PUBLIC_URL to an address such as https://sandbox.example.com.`,
    )
  return isSkipped
}

/** @param home Directory against which a relative default is resolved, so that every start finds the same data. */
export function readConfig(env: Environment, home: string) {
  refuseUnknown(env)
  const base = env['BOATHOUSE_DATA_DIR'] ? process.cwd() : home
  return {
    dataDir: resolve(base, required(env, 'BOATHOUSE_DATA_DIR')),
    httpHost: required(env, 'BOATHOUSE_HTTP_HOST'),
    httpPort: required(env, 'BOATHOUSE_HTTP_PORT'),
    mysql: readMysql(env),
    assistant: readAssistant(env),
    takesAgents: required(env, 'BOATHOUSE_MCP') === 'on',
    connectionLimits: readConnectionLimits(env),
    adminPassword: valueOf(env, 'BOATHOUSE_ADMIN_PASSWORD'),
    adminEmail: valueOf(env, 'BOATHOUSE_ADMIN_EMAIL'),
    sampleData: required(env, 'BOATHOUSE_SAMPLE_DATA'),
    region: required(env, 'BOATHOUSE_REGION'),
    publicUrl: valueOf(env, 'BOATHOUSE_PUBLIC_URL'),
    regions: readRegions(env),
    centralUrl: valueOf(env, 'BOATHOUSE_CENTRAL_URL'),
    supportContact: valueOf(env, 'BOATHOUSE_SUPPORT_CONTACT'),
    operatorEmail: valueOf(env, 'BOATHOUSE_OPERATOR_EMAIL'),
    hosts: {
      ingest: valueOf(env, 'BOATHOUSE_INGEST_HOST'),
      privateIngest: valueOf(env, 'BOATHOUSE_PRIVATE_INGEST_HOST'),
      privateMysql: valueOf(env, 'BOATHOUSE_PRIVATE_MYSQL_HOST'),
    },
    secretKey: valueOf(env, 'BOATHOUSE_SECRET_KEY'),
    signUp: required(env, 'BOATHOUSE_SIGN_UP'),
    businessMailOnly: required(env, 'BOATHOUSE_BUSINESS_MAIL_ONLY'),
    skipPasswordRule: readSkipPasswordRule(env),
    marketplace: readMarketplace(env),
    payment: required(env, 'BOATHOUSE_PAYMENT'),
    stripe: readStripe(env),
    aws: readAws(env),
    privateLink: readPrivateLink(env),
    catalogFolders: valueOf(env, 'BOATHOUSE_CATALOG_FOLDERS') ?? [],
    catalogEndpoints: valueOf(env, 'BOATHOUSE_CATALOG_ENDPOINTS') ?? [],
    glueUrl: valueOf(env, 'BOATHOUSE_AWS_GLUE_URL') ?? '',
    fileEndpoints: valueOf(env, 'BOATHOUSE_FILE_ENDPOINTS') ?? [],
    webhookEndpoints: valueOf(env, 'BOATHOUSE_WEBHOOK_ENDPOINTS') ?? [],
    ssoEndpoints: valueOf(env, 'BOATHOUSE_SSO_ENDPOINTS') ?? [],
    clusters: readClusters(env),
    smtp: readSmtp(env),
    proxies: required(env, 'BOATHOUSE_TRUST_PROXY'),
    loadLabelHours: required(env, 'BOATHOUSE_LOAD_LABEL_HOURS'),
    logLevel: required(env, 'BOATHOUSE_LOG_LEVEL'),
    databaseUrl: valueOf(env, 'DATABASE_URL'),
  }
}

export type Config = ReturnType<typeof readConfig>

export interface SettingLine {
  readonly name: string
  readonly value: string
  readonly isDefault: boolean
  readonly meaning: string
  readonly expects: string
}

/** For `npx boathouse config`: every setting with its value, secrets masked. */
export function describeSettings(env: Environment): SettingLine[] {
  return names.map((name) => {
    const setting: Setting = SETTINGS[name]
    const given = env[name]
    const value = given ? (setting.secret ? '***' : given) : (setting.fallback ?? '')
    return { name, value, isDefault: !given, meaning: setting.meaning, expects: setting.expects }
  })
}
