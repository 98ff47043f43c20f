import type { SessionFacts } from '../../../engines/engine/session.ts'

/** Where a session is: what names mean in it, and what runs its statements. */
export interface SessionPlace {
  readonly catalog: string
  readonly database: string | null
  readonly warehouse: string
}

/** A query connection: plain data kept by the service, so that it outlives channels, engines and servers. */
export interface Connection extends SessionPlace, SessionFacts {
  readonly id: number
  /** Null: no warehouse is chosen, and the account has no default one. `warehouse` is its name. */
  readonly warehouseId: string | null
  /** The kind of engine of its warehouse. What the session holds (`SessionFacts`) is in that engine. */
  readonly engine: string
  readonly variables: Readonly<Record<string, string>>
}

export type ConnectionChange = Partial<
  SessionPlace & SessionFacts & Pick<Connection, 'warehouseId' | 'engine' | 'variables'>
>

/** Most statements leave their connection as it was: then nothing is written. */
export const isMoved = (connection: Connection, change: ConnectionChange): boolean =>
  Object.entries(change).some(([name, value]) => connection[name as keyof Connection] !== value)

/** Which connection a request runs on. */
export interface ConnectionRequest {
  /** 0 asks for a new one; any other must be open and belong to the requester. */
  readonly connectionId: number
  /** A new one begins in the place of this one. */
  readonly previousConnectionId: number
  readonly clientId: string
  /** The number of a new one, where its client has been given one; by default the next. */
  readonly newId?: number | undefined
  /** Where a new one begins, if that is not the place of the previous one. */
  readonly place?: Pick<Connection, 'catalog' | 'database' | 'warehouseId'> &
    Partial<Pick<Connection, 'variables'>>
}
