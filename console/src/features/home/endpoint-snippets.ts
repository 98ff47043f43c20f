export interface EndpointFacts {
  readonly host: string
  readonly port: number
  readonly accountId: string
  readonly user: string
}

/** A MySQL user name names the account too, as in `ABC12345.admin`. */
const endpointUser = ({ accountId, user }: EndpointFacts): string => `${accountId}.${user}`

/** A shell takes text in single quotes unchanged; a quote itself is written '\''. */
const quoted = (text: string): string =>
  /^[A-Za-z0-9_.@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

export const mysqlCommand = (facts: EndpointFacts): string =>
  `mysql -h ${quoted(facts.host)} -P ${facts.port} -u ${quoted(endpointUser(facts))} -p`

export const jdbcAddress = (facts: EndpointFacts): string =>
  `jdbc:mysql://${facts.host}:${facts.port}/?user=${encodeURIComponent(endpointUser(facts))}`

export const plainValues = (facts: EndpointFacts): string =>
  `Host: ${facts.host}\nPort: ${facts.port}\nUser: ${endpointUser(facts)}`
