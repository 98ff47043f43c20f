import type { QueryEndpoint } from '@boathouse/contract'
import type { MysqlDoor, MysqlDoorParts } from './door.ts'

/** It listens on all addresses of the machine, none of which is known to be the one that others reach. */
const ANY: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

type Door = Pick<MysqlDoor, 'endpoint' | 'state'>

interface Configured {
  /** Null: it is switched off. */
  readonly mysql: MysqlDoorParts['settings'] | null
  readonly publicUrl: string | undefined
}

/** What users see of the endpoint: where it can be reached, or why it cannot. */
export function queryEndpointOf(
  door: Door | null,
  { mysql, publicUrl }: Configured,
): Omit<QueryEndpoint, 'privateEndpoints' | 'privateAddress'> {
  const bound = mysql?.host ?? ''
  const reached = publicUrl === undefined ? '' : new URL(publicUrl).hostname
  const isListening = door?.state === 'listening'
  return {
    host: ANY.has(bound) ? reached : bound,
    port: door?.endpoint.port ?? 0,
    listening: isListening,
    absence: isListening ? null : absenceOf(door),
    requiresTls: mysql?.requiresTls ?? true,
    ownCertificate: !mysql?.files,
  }
}

function absenceOf(door: Door | null): 'off' | 'starting' | 'trouble' {
  if (!door) return 'off'
  return door.state === 'in trouble' ? 'trouble' : 'starting'
}
