import { z } from 'zod'
import { parseBounded } from '../../kernel/json/parse.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import type { AskedMetadata, IcebergPlace, PassingKeys } from './iceberg-catalog.ts'
import { namespacePath } from './names.ts'
import { rawMembers } from './raw-members.ts'
import { nonsense } from './refusals.ts'
import { ANSWER_BOUNDS, type RestClient } from './rest-client.ts'
import { vendedKeys } from './vended-keys.ts'

const PAGE = '1000'

const Given = z.object({
  config: z.nullish(z.record(z.string(), z.string())),
  'storage-credentials': z.nullish(
    z.array(z.object({ prefix: z.string(), config: z.record(z.string(), z.string()) })),
  ),
})

interface Asking {
  readonly client: RestClient
  readonly place: IcebergPlace
  /** Null: those that the server gives, or the catalog's own. */
  readonly keys: PassingKeys | null
}

/** Asks the server for one who reads its tables without us. Only these questions can be put. */
export async function askMetadata(
  { client, place, keys }: Asking,
  asked: AskedMetadata,
  stop: AbortSignal,
): Promise<string> {
  const separator = await client.separator(stop)
  if (asked.of === 'namespaces') {
    const { parent, pageToken } = asked
    const below = parent.length === 0 ? {} : { parent: parent.join(decodeURIComponent(separator)) }
    return client.get({ path: 'namespaces', query: { ...below, pageToken, pageSize: PAGE } }, stop)
  }
  const path = namespacePath(asked.namespace, separator)
  if (asked.of === 'namespace') return client.get({ path }, stop)
  if (asked.of === 'tables')
    return client.get({ path: `${path}/tables`, query: { pageToken: asked.pageToken, pageSize: PAGE } }, stop)
  const isVended = place.keys === null && keys === null
  const headers: Record<string, string> = isVended
    ? { 'x-iceberg-access-delegation': 'vended-credentials' }
    : {}
  const table = `${path}/tables/${encodeURIComponent(asked.name)}`
  const text = await client.get({ path: table, query: { snapshots: asked.snapshots }, headers }, stop)
  return withKeys(text, place, keys)
}

/** Numbers of snapshots have more digits than JSON.parse keeps, so that metadata is passed on as it is written. */
function withKeys(text: string, place: IcebergPlace, keys: PassingKeys | null): string {
  try {
    const members = rawMembers(text)
    const metadata = members.get('metadata') ?? '{}'
    const location = z.string().parse(parsed(rawMembers(metadata).get('location')))
    const isOwn = keys === null && place.keys !== null
    const given = isOwn ? null : (keys ?? vendedIn(members, { location, endpoint: place.endpoint }))
    const config = given && {
      's3.access-key-id': given.accessKey,
      's3.secret-access-key': given.secretKey,
      's3.session-token': given.sessionToken,
    }
    const at = members.get('metadata-location') ?? 'null'
    return `{"metadata-location":${at},"metadata":${metadata},"config":${JSON.stringify(config ?? {})}}`
  } catch (error) {
    if (error instanceof OutsideRefused) throw error
    throw nonsense('no metadata of a table', error)
  }
}

const parsed = (text: string | undefined): unknown => parseBounded(text ?? 'null', ANSWER_BOUNDS)

function vendedIn(
  members: ReadonlyMap<string, string>,
  where: { readonly location: string; readonly endpoint: string },
): PassingKeys {
  const [config, credentials] = ['config', 'storage-credentials'].map((name) => parsed(members.get(name)))
  const given = vendedKeys(Given.parse({ config, 'storage-credentials': credentials }), where)
  if (typeof given === 'string') throw new OutsideRefused('refused', given)
  // Nodes of a cluster take no others from a server.
  if (given.sessionToken === '')
    throw new OutsideRefused(
      'refused',
      'its server gives keys without a session token, which clusters do not take; give the catalog an access key of its own',
    )
  return given
}
