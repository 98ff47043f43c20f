/**
 * A session as the protocol has it: the client keeps it, sends all of it with each statement, and changes it as answers
 * say. Nothing of it is on the cluster.
 */
export class SessionHeaders {
  readonly #properties = new Map<string, string>()
  readonly #prepared = new Map<string, string>()
  readonly #roles = new Map<string, string>()
  catalog: string
  schema: string
  timeZone: string

  constructor({ catalog, schema, timeZone }: { catalog: string; schema: string; timeZone: string }) {
    this.catalog = catalog
    this.schema = schema
    this.timeZone = timeZone
  }

  toSend(): Record<string, string> {
    return {
      'x-trino-source': 'boathouse',
      // Without it, times have milliseconds and no more.
      'x-trino-client-capabilities': 'PARAMETRIC_DATETIME',
      'x-trino-catalog': this.catalog,
      'x-trino-schema': this.schema,
      'x-trino-time-zone': this.timeZone,
      ...listed('x-trino-session', this.#properties),
      ...listed('x-trino-prepared-statement', this.#prepared),
      ...listed('x-trino-role', this.#roles),
    }
  }

  /** What a statement has changed. */
  apply(headers: Headers): void {
    this.catalog = headers.get('x-trino-set-catalog') ?? this.catalog
    this.schema = headers.get('x-trino-set-schema') ?? this.schema
    for (const [name, value] of pairsIn(headers.get('x-trino-set-session'))) this.#properties.set(name, value)
    for (const name of namesIn(headers.get('x-trino-clear-session'))) this.#properties.delete(name)
    for (const [name, text] of pairsIn(headers.get('x-trino-added-prepare'))) this.#prepared.set(name, text)
    for (const name of namesIn(headers.get('x-trino-deallocated-prepare')))
      this.#prepared.delete(decoded(name))
    for (const [catalog, role] of pairsIn(headers.get('x-trino-set-role'))) this.#roles.set(catalog, role)
  }
}

const listed = (header: string, values: ReadonlyMap<string, string>): Record<string, string> =>
  values.size === 0
    ? {}
    : { [header]: [...values].map(([name, value]) => `${encode(name)}=${encode(value)}`).join(',') }

const encode = encodeURIComponent
const decoded = (text: string): string => decodeURIComponent(text.replaceAll('+', ' '))

/** Several headers of one name come as one, with commas between them: values are encoded, and have none. */
const namesIn = (header: string | null): string[] =>
  (header ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

const pairsIn = (header: string | null): (readonly [name: string, value: string])[] =>
  namesIn(header).map((pair) => {
    const sign = pair.indexOf('=')
    return [decoded(pair.slice(0, sign)), decoded(pair.slice(sign + 1))] as const
  })
