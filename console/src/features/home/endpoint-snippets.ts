import { quoted } from '@boathouse/contract/quoted'

/** Programs that people connect with, in the order of the list. */
export const CLIENTS = ['mysql', 'mariadb', 'jdbc', 'python', 'node', 'go', 'php', 'odbc', 'others'] as const
export type Client = (typeof CLIENTS)[number]

export const isClient = (value: unknown): value is Client => CLIENTS.some((client) => client === value)

export interface EndpointFacts {
  readonly host: string
  readonly port: number
  /** With the account, as in `ABC12345.admin`. */
  readonly user: string
  /** No client trusts the certificate: they encrypt without asking whose it is. */
  readonly ownCertificate: boolean
}

const { shell: inShell, code: inCode, php: inPhp, odbc: inOdbc, host: inUrl } = quoted

const shell = ({ host, port, user }: EndpointFacts): string =>
  `-h ${inShell(host)} -P ${port} -u ${inShell(user)} -p`

/** A line, or a few, that connects; none has a password in it. */
export const LINES: Readonly<Record<Client, (facts: EndpointFacts) => string>> = {
  mysql: (facts) =>
    `mysql ${shell(facts)} --ssl-mode=${facts.ownCertificate ? 'REQUIRED' : 'VERIFY_IDENTITY'}`,

  mariadb: (facts) =>
    `mariadb ${shell(facts)} ${facts.ownCertificate ? '--ssl' : '--ssl --ssl-verify-server-cert'}`,

  jdbc: ({ host, port, user, ownCertificate }) =>
    `jdbc:mysql://${inUrl(host)}:${port}/?user=${encodeURIComponent(user)}&sslMode=${ownCertificate ? 'REQUIRED' : 'VERIFY_IDENTITY'}`,

  python: ({ host, port, user, ownCertificate }) =>
    [
      `url = URL.create("mysql+pymysql", ${inCode(user)}, os.environ["MYSQL_PASSWORD"], ${inCode(host)}, ${port})`,
      `tls = ${ownCertificate ? '{"verify_mode": "none", "check_hostname": False}' : '{"check_hostname": True}'}`,
      'engine = create_engine(url, connect_args={"ssl": tls})',
    ].join('\n'),

  node: ({ host, port, user, ownCertificate }) =>
    [
      'const connection = await mysql.createConnection({',
      `  host: ${inCode(host)}, port: ${port}, user: ${inCode(user)},`,
      `  password: process.env.MYSQL_PASSWORD, ssl: { rejectUnauthorized: ${!ownCertificate} },`,
      '})',
    ].join('\n'),

  go: ({ host, port, user, ownCertificate }) =>
    [
      'config := mysql.NewConfig()',
      `config.Net, config.Addr = "tcp", ${inCode(`${inUrl(host)}:${port}`)}`,
      `config.User, config.Passwd = ${inCode(user)}, os.Getenv("MYSQL_PASSWORD")`,
      `config.TLSConfig = ${inCode(ownCertificate ? 'skip-verify' : 'true')}`,
      'db, err := sql.Open("mysql", config.FormatDSN())',
    ].join('\n'),

  php: ({ host, port, user, ownCertificate }) =>
    [
      '$db = mysqli_init();',
      `$db->real_connect(${inPhp(host)}, ${inPhp(user)}, getenv('MYSQL_PASSWORD'), '', ${port}, null,`,
      `    ${ownCertificate ? 'MYSQLI_CLIENT_SSL | MYSQLI_CLIENT_SSL_DONT_VERIFY_SERVER_CERT' : 'MYSQLI_CLIENT_SSL'});`,
    ].join('\n'),

  odbc: ({ host, port, user, ownCertificate }) =>
    `Driver={MariaDB Unicode};Server=${inOdbc(host)};Port=${port};User=${inOdbc(user)};ForceTLS=1;SSLVerify=${ownCertificate ? 0 : 1}`,

  others: ({ host, port, user }) => `Host: ${host}\nPort: ${port}\nUser: ${user}`,
}
