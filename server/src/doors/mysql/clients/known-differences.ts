/** Step by step, and why. */
type Reasons = Readonly<Record<string, Readonly<Record<string, string>>>>

const NO_TIMEOUT = { timeout: 'the driver has none, or none that ends a statement' }
const NO_ESCAPING = { 'hostile-escaped': 'it sends every parameter apart from the text' }
const UTF8_ALONE = { latin1: 'it speaks utf8mb4 alone', charsets: 'it speaks utf8mb4 alone' }
const NO_STATE_AT_SIGN_IN = { 'wrong-password': 'PHP says HY000 for every sign-in that is refused' }

/** What a driver cannot do with any server: it is held against MariaDB alone. */
export const DRIVER_LIMITS: Reasons = {
  PyMySQL: NO_TIMEOUT,
  mysqlclient: NO_TIMEOUT,
  'mysql-connector-python': { ...NO_TIMEOUT, charsets: 'MariaDB refuses the texts that it sends in them' },
  'MariaDB ODBC by pyodbc': {
    ...NO_TIMEOUT,
    ...NO_ESCAPING,
    'text-values': 'times lose their fraction',
    'binary-values': 'times lose their fraction',
    parameters: 'times lose their fraction',
    'hostile-prepared': 'a text ends at its first zero byte',
    'kill-query': 'it says HY018 for a statement that was stopped',
  },
  'MySQL Connector/J': { parameters: 'it cuts fractions of seconds that MariaDB does not announce' },
  'MariaDB Connector/J': UTF8_ALONE,
  'go-sql-driver': {
    several: 'a pool does not say what statements without rows did',
    charsets: 'it quotes bytes without knowing their character set, and a text gets out of its quotes',
  },
  'Rust mysql': { ...NO_TIMEOUT, ...NO_ESCAPING, ...UTF8_ALONE },
  'PHP mysqli': { ...NO_TIMEOUT, ...NO_STATE_AT_SIGN_IN },
  'PHP PDO': { ...NO_TIMEOUT, ...NO_STATE_AT_SIGN_IN },
  'DBD::mysql': { ...NO_TIMEOUT, parameters: 'Perl sends a double with 15 digits' },
}

/** What Boathouse does not do yet as MariaDB does. A gap that is closed makes its test fail, and leaves this list. */
export const GAPS: Reasons = {
  mysqlclient: { parameters: 'bytes that are no text arrive inside of the statement' },
  'MySQL Connector/J': {
    parameters: 'fractions of seconds are kept, which this driver cuts for MariaDB',
    'no-backslash': 'it writes texts with quotes as bytes in this mode, which are not taken for texts',
  },
  'MariaDB Connector/J': { timeout: 'this driver limits the time of statements with MariaDB alone' },
}
