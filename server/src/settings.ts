import { Email, LIMITS, Password, RegionId } from '@boathouse/contract'
import { z } from 'zod'
import { ASSISTANT_SETTINGS } from './assistant-settings.ts'
import { CatalogEndpoints, WebEndpoints } from './catalog-endpoints.ts'
import { CatalogFolders } from './catalog-folders.ts'
import { CLUSTER_SETTINGS } from './cluster-settings.ts'
import { PAYMENT_SETTINGS } from './payment-settings.ts'
import { PRIVATE_LINK_SETTINGS } from './private-link-settings.ts'
import { Port } from './port.ts'
import { REGION_SETTINGS } from './region-settings.ts'

/** Every setting of the server: environment variable, default, meaning. */

/** A name in which `{region}` stands for the region of an account. */
const HostTemplate = z.string().regex(/^(?=.{1,253}$)(\{region\}|[a-z0-9])(\{region\}|[a-z0-9.-])*$/i)
const connections = z.coerce.number().int().min(1).max(100_000)
const flag = z.enum(['true', 'false']).transform((value) => value === 'true')

export interface Setting {
  readonly schema: z.core.$ZodType
  /** Undefined: not set unless the operator sets it. */
  readonly fallback: string | undefined
  readonly expects: string
  readonly meaning: string
  readonly secret?: true
}

export const SETTINGS = {
  BOATHOUSE_DATA_DIR: {
    schema: z.string().min(1),
    fallback: './data',
    expects: 'a directory',
    meaning: 'Data directory',
  },
  BOATHOUSE_HTTP_HOST: {
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    expects: 'an address of this machine, 0.0.0.0 for all',
    meaning: 'Address on which the console and the API listen',
  },
  BOATHOUSE_HTTP_PORT: {
    schema: Port,
    fallback: '8080',
    expects: 'a port from 0 to 65535 (0 takes any free one)',
    meaning: 'Port of the console and the API',
  },
  BOATHOUSE_CONNECTIONS_PER_ACCOUNT: {
    schema: connections,
    fallback: String(LIMITS.connectionsPerAccount),
    expects: 'a number from 1 to 100000',
    meaning: 'Query connections that an account may have open, of consoles and programs together',
  },
  BOATHOUSE_CONNECTIONS_PER_USER: {
    schema: connections,
    fallback: String(LIMITS.connectionsPerUser),
    expects: 'a number from 1 to 100000, at most BOATHOUSE_CONNECTIONS_PER_ACCOUNT',
    meaning: 'Of these, those of one user',
  },
  BOATHOUSE_MYSQL_HOST: {
    schema: z.string().min(1),
    fallback: '127.0.0.1',
    expects: 'an address of this machine, 0.0.0.0 for all',
    meaning: 'Address on which the MySQL-protocol endpoint listens',
  },
  BOATHOUSE_MYSQL_PORT: {
    schema: z.union([z.literal('off'), Port]),
    fallback: '9030',
    expects: 'a port from 0 to 65535 (0 takes any free one), or off',
    meaning: 'Port of the MySQL-protocol endpoint; off closes it',
  },
  BOATHOUSE_MCP: {
    schema: z.enum(['on', 'off']),
    fallback: 'on',
    expects: 'on or off',
    meaning: 'Whether agents can come in over the Model Context Protocol, at /mcp',
  },
  BOATHOUSE_MYSQL_LOCAL_INFILE: {
    schema: flag,
    fallback: 'true',
    expects: 'true or false',
    meaning: 'Whether MySQL clients may load files of theirs with LOAD DATA LOCAL INFILE',
  },
  BOATHOUSE_MYSQL_TLS: {
    schema: z.enum(['required', 'optional']),
    fallback: 'required',
    expects: 'required or optional',
    meaning: 'Whether MySQL clients that are not on this machine must use TLS',
  },
  BOATHOUSE_MYSQL_TLS_CERT: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'a file in PEM form',
    meaning:
      'Certificate of the MySQL-protocol endpoint, read again when it changes; by default one that is made at the first start',
  },
  BOATHOUSE_MYSQL_TLS_KEY: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: 'a file in PEM form',
    meaning: 'Private key of BOATHOUSE_MYSQL_TLS_CERT; required with it',
  },
  BOATHOUSE_ADMIN_PASSWORD: {
    schema: Password,
    fallback: undefined,
    expects: '8 to 16 characters with a letter, a digit and one of !@#$%^&*_',
    meaning: "First start only: the administrator's password; generated and printed once when not set",
    secret: true,
  },
  BOATHOUSE_ADMIN_EMAIL: {
    schema: Email,
    fallback: undefined,
    expects: 'a mail address',
    meaning:
      'Mail address of the first administrator, while that user has none: for a forgotten password, budgets and the deletion of accounts',
  },
  BOATHOUSE_SAMPLE_DATA: {
    schema: flag,
    fallback: 'true',
    expects: 'true or false',
    meaning: 'First start only: create the sample database',
  },
  BOATHOUSE_REGION: {
    schema: RegionId,
    fallback: 'local-1',
    expects: 'lower-case letters, digits and dashes',
    meaning: 'Region of this server',
  },
  BOATHOUSE_PUBLIC_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: undefined,
    expects: 'an http or https address',
    meaning: 'Public address of this server, when it is behind a proxy',
  },
  ...REGION_SETTINGS,
  BOATHOUSE_SUPPORT_CONTACT: {
    schema: z.string().min(1).max(200),
    fallback: undefined,
    expects: 'an address or a sentence',
    meaning: 'Support contact that the console shows',
  },
  BOATHOUSE_OPERATOR_EMAIL: {
    schema: Email,
    fallback: undefined,
    expects: 'a mail address',
    meaning:
      'Where requests of users for further integrations are mailed to; without it, boathouse requests list shows them',
  },
  BOATHOUSE_INGEST_HOST: {
    schema: HostTemplate,
    fallback: undefined,
    expects: 'a host name such as ingest.{region}.example.com',
    meaning:
      'Host at which programs load data over HTTPS, port 443, with {region} for the region of the account; by default the address of this server',
  },
  BOATHOUSE_PRIVATE_INGEST_HOST: {
    schema: HostTemplate,
    fallback: undefined,
    expects: 'a host name such as ingest.{region}.privatelink.example.com',
    meaning: 'The same for programs that come by a private link',
  },
  BOATHOUSE_PRIVATE_MYSQL_HOST: {
    schema: HostTemplate,
    fallback: undefined,
    expects: 'a host name such as sql.{region}.privatelink.example.com',
    meaning: 'Host at which MySQL clients reach this server by a private link',
  },
  ...PRIVATE_LINK_SETTINGS,
  BOATHOUSE_SIGN_UP: {
    schema: flag,
    fallback: 'true',
    expects: 'true or false',
    meaning: 'Whether anyone who reaches this server can request a free trial',
  },
  BOATHOUSE_BUSINESS_MAIL_ONLY: {
    schema: flag,
    fallback: 'false',
    expects: 'true or false',
    meaning: 'Whether sign-up and invitations refuse free webmail addresses',
  },
  BOATHOUSE_SKIP_PASSWORD_RULE: {
    schema: flag,
    fallback: 'false',
    expects: 'true or false',
    meaning: 'Whether the password rule is skipped; only for a local or sandbox host',
  },
  ...PAYMENT_SETTINGS,
  ...ASSISTANT_SETTINGS,
  BOATHOUSE_CATALOG_FOLDERS: {
    schema: CatalogFolders,
    fallback: undefined,
    expects: 'name=/absolute/folder or name@ACCOUNT=/absolute/folder, a comma between two of them',
    meaning:
      'Named folders of this machine that catalogs may read, for all accounts or for one by its id. Empty by default',
  },
  BOATHOUSE_CATALOG_ENDPOINTS: {
    schema: CatalogEndpoints,
    fallback: undefined,
    expects: 'addresses such as http://storage.internal:9000, a comma between two of them',
    meaning:
      'Storage, Iceberg REST servers and Hive metastores (thrift://host:port, thrift+tls://host:port) in a private network or without TLS that catalogs may reach. By default only public addresses over TLS',
  },
  BOATHOUSE_FILE_ENDPOINTS: {
    schema: WebEndpoints,
    fallback: undefined,
    expects: 'addresses such as https://files.internal:8443, a comma between two of them',
    meaning:
      'Servers in a private network or without TLS whose files may be loaded by their address. By default only public addresses over TLS',
  },
  BOATHOUSE_WEBHOOK_ENDPOINTS: {
    schema: WebEndpoints,
    fallback: undefined,
    expects: 'addresses such as https://hooks.internal:8443, a comma between two of them',
    meaning:
      'Receivers of webhooks in a private network or without TLS that alert rules may name. By default only public addresses over TLS',
  },
  BOATHOUSE_AWS_ACCESS_KEY: {
    schema: z.string().regex(/^[\x21-\x7e]{1,128}$/),
    fallback: undefined,
    expects: 'an access key of AWS',
    meaning:
      'Key with which this service assumes the IAM roles that accounts have registered, and meters usage at the AWS Marketplace',
  },
  BOATHOUSE_AWS_SECRET_KEY: {
    schema: z.string().regex(/^[\x21-\x7e]{1,256}$/),
    fallback: undefined,
    expects: 'the secret key that belongs to it',
    meaning: 'Secret key of BOATHOUSE_AWS_ACCESS_KEY; set both or neither',
    secret: true,
  },
  BOATHOUSE_AWS_REGION: {
    schema: z.string().regex(/^[a-z\d-]{2,32}$/),
    fallback: 'us-east-1',
    expects: 'a region of AWS such as eu-central-1',
    meaning: 'Region in which this service asks AWS STS for the keys of roles',
  },
  BOATHOUSE_AWS_STS_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: undefined,
    expects: 'an address such as https://sts.example.com',
    meaning: 'Another address of AWS STS, such as a private endpoint; by default that of the region',
  },
  BOATHOUSE_AWS_GLUE_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: undefined,
    expects: 'an address such as https://glue.example.com',
    meaning:
      'Another address of AWS Glue, such as a private endpoint, for all catalogs over it; by default that of the region of the catalog',
  },
  BOATHOUSE_AWS_EC2_URL: {
    schema: z.url({ protocol: /^https?$/ }),
    fallback: undefined,
    expects: 'an address such as https://ec2.example.com',
    meaning: 'Another address of AWS EC2, which private links use; by default that of the region',
  },
  BOATHOUSE_SSO_ENDPOINTS: {
    schema: WebEndpoints,
    fallback: undefined,
    expects: 'addresses such as http://login.internal:8180, a comma between two of them',
    meaning:
      'Single sign-on issuers in a private network or without TLS that accounts may use. By default only public addresses over TLS',
  },
  ...CLUSTER_SETTINGS,
  BOATHOUSE_SMTP_URL: {
    schema: z.url({ protocol: /^smtps?$/ }),
    fallback: undefined,
    expects: 'an address such as smtps://user:password@mail.example.com:465',
    meaning: 'Mail server for outgoing mail; without it, mails are kept for the operator to read',
    secret: true,
  },
  BOATHOUSE_MAIL_FROM: {
    schema: z.string().regex(/^([^<>\r\n]+ <[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/),
    fallback: undefined,
    expects: 'an address such as Boathouse <no-reply@example.com>',
    meaning: 'Sender of outgoing mail; required with BOATHOUSE_SMTP_URL',
  },
  BOATHOUSE_SECRET_KEY: {
    schema: z.string().min(1),
    fallback: undefined,
    expects: '32 random bytes in base64; older keys may follow, a comma between them',
    meaning: 'Encrypts secrets in the database; by default a key file in the data directory',
    secret: true,
  },
  BOATHOUSE_TRUST_PROXY: {
    schema: z.coerce.number().int().min(0).max(9),
    fallback: '0',
    expects: 'a number of proxies from 0 to 9',
    meaning: 'Number of trusted proxies that add to X-Forwarded-For; 0 trusts none',
  },
  BOATHOUSE_LOAD_LABEL_HOURS: {
    schema: z.coerce.number().int().min(1).max(2160),
    fallback: '72',
    expects: 'a whole number from 1 to 2160',
    meaning:
      'How long the label of a stream load is kept, in hours: data with the same label is not loaded again',
  },
  BOATHOUSE_LOG_LEVEL: {
    schema: z.enum(['silent', 'error', 'warn', 'info', 'debug']),
    fallback: 'info',
    expects: 'silent, error, warn, info or debug',
    meaning: 'Log level on standard error',
  },
  DATABASE_URL: {
    schema: z.url({ protocol: /^postgres(ql)?$/ }),
    fallback: undefined,
    expects: 'an address such as postgres://user:password@host:5432/database',
    meaning: 'An existing PostgreSQL, 15 or newer; by default Boathouse starts its own',
    secret: true,
  },
} as const satisfies Record<string, Setting>

export type SettingName = keyof typeof SETTINGS
