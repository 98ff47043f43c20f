export interface EndpointFacts {
  readonly host: string
  readonly port: number
  readonly accountId: string
  readonly user: string
}

/** HOME-12: a MySQL user name names the account too, as in `ABC12345.admin`. */
const endpointUser = ({ accountId, user }: EndpointFacts): string => `${accountId}.${user}`

/** A shell takes what stands in single quotes as it is; a quote itself is written '\''. */
const quoted = (text: string): string =>
  /^[A-Za-z0-9_.@-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** HOME-07 */
export const mysqlCommand = (facts: EndpointFacts): string =>
  `mysql -h ${quoted(facts.host)} -P ${facts.port} -u ${quoted(endpointUser(facts))} -p`

/** HOME-08 */
export const jdbcAddress = (facts: EndpointFacts): string =>
  `jdbc:mysql://${facts.host}:${facts.port}/?user=${encodeURIComponent(endpointUser(facts))}`

/** HOME-09 */
export const plainValues = (facts: EndpointFacts): string =>
  `Host: ${facts.host}\nPort: ${facts.port}\nUser: ${endpointUser(facts)}`
