interface Answer {
  readonly config?: Readonly<Record<string, string>> | null | undefined
  readonly 'storage-credentials'?:
    | readonly { readonly prefix: string; readonly config: Readonly<Record<string, string>> }[]
    | null
    | undefined
}

export interface VendedKeys {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken: string
  /** In milliseconds since 1970. */
  readonly until: number
}

/** Keys are sent in headers, so only characters that a header allows. */
const PLAIN = /^[\x21-\x7e]{1,8192}$/

const isAws = (url: URL): boolean => url.protocol === 'https:' && url.hostname.endsWith('.amazonaws.com')

/** Whether the files lie where the catalog says that its storage is. */
function isAt(given: string, endpoint: string): boolean {
  if (!URL.canParse(given)) return false
  return endpoint === '' ? isAws(new URL(given)) : new URL(given).origin === new URL(endpoint).origin
}

/** Those that a server gives for the files of a table; as a sentence without its end when it gives none that can be used. */
export function vendedKeys(
  { config, 'storage-credentials': credentials }: Answer,
  { location, endpoint }: { readonly location: string; readonly endpoint: string },
): VendedKeys | string {
  const nearest = (credentials ?? [])
    .filter(({ prefix }) => location.startsWith(prefix))
    .toSorted((one, other) => other.prefix.length - one.prefix.length)[0]
  const given: Readonly<Record<string, string>> = { ...config, ...nearest?.config }
  const accessKey = given['s3.access-key-id'] ?? ''
  const secretKey = given['s3.secret-access-key'] ?? ''
  const sessionToken = given['s3.session-token'] ?? ''
  if (accessKey === '' || secretKey === '')
    return 'its server gives no keys for its files; give the catalog an access key of its own'
  if (![accessKey, secretKey, sessionToken || '-'].every((text) => PLAIN.test(text)))
    return 'the keys that its server provides for its files are invalid'
  const at = given['s3.endpoint']
  if (at !== undefined && !isAt(at, endpoint))
    return 'its server says that its files lie at another endpoint than the one that the catalog names; the endpoint of a catalog is written when it is made'
  const until = Number(given['s3.session-token-expires-at-ms'] ?? Number.POSITIVE_INFINITY)
  return { accessKey, secretKey, sessionToken, until: Number.isNaN(until) ? 0 : until }
}
