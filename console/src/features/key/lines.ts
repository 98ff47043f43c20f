import type { KeyDoor } from '@boathouse/contract/key'

export interface ConnectionFacts {
  /** Of this service, as in `https://lake.example`. */
  readonly origin: string
  /** With the account, as in `ABC12345.robot`. */
  readonly user: string
  /** Null: the MySQL endpoint does not listen. */
  readonly mysql: { readonly host: string; readonly port: number; readonly ownCertificate: boolean } | null
}

/** A shell takes text in single quotes unchanged; a quote itself is written '\''. */
const inShell = (text: string): string =>
  /^[A-Za-z0-9_.@:/-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

const BEARER = '-H "Authorization: Bearer $BOATHOUSE_KEY"'

/** Long commands are continued in the next line, so that all of them can be seen. */
const command = (...lines: readonly string[]): string => lines.join(' \\\n  ')

const LINES: Readonly<Record<KeyDoor, (facts: ConnectionFacts) => string | null>> = {
  http: ({ origin }) =>
    command(
      `curl ${inShell(`${origin}/api/user/info`)}`,
      BEARER,
      `-H 'Content-Type: application/json' -d '{}'`,
    ),

  // Other users of the machine see what is on a command line, and not what is in its environment.
  mysql: ({ user, mysql }) =>
    mysql &&
    command(
      `MYSQL_PWD="$BOATHOUSE_KEY" mariadb -h ${inShell(mysql.host)} -P ${mysql.port}`,
      `-u ${inShell(user)} ${mysql.ownCertificate ? '--ssl' : '--ssl --ssl-verify-server-cert'}`,
    ),

  ingest: ({ origin }) =>
    command(
      'curl --location-trusted -T rows.csv',
      BEARER,
      `-H 'Expect: 100-continue' -H 'column_separator: ,'`,
      inShell(`${origin}/api/main/my_table/_stream_load`),
    ),

  // As most programs of agents take it, which put the environment in its place.
  mcp: ({ origin }) =>
    JSON.stringify(
      {
        mcpServers: {
          boathouse: {
            type: 'http',
            url: `${origin}/mcp`,
            headers: { Authorization: 'Bearer ${BOATHOUSE_KEY}' },
          },
        },
      },
      null,
      2,
    ),
}

export interface Line {
  readonly door: KeyDoor
  readonly code: string
}

/** For each source that the key allows and that is open here; none has the secret in it. */
export const linesFor = (doors: readonly KeyDoor[], facts: ConnectionFacts): Line[] =>
  doors.flatMap((door) => {
    const code = LINES[door](facts)
    return code === null ? [] : [{ door, code }]
  })
