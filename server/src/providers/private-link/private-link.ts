/** A connection of a customer's VPC endpoint, as the cloud has it. */
export interface EndpointConnection {
  readonly endpointId: string
  /** The AWS account that the endpoint is in. */
  readonly ownerId: string
  readonly isPending: boolean
  /** Its clients reach this service. */
  readonly isOpen: boolean
}

/** The network in front of the private listeners. */
export interface PrivateLinkNetwork {
  /** What customers create their endpoint for; null where that is not a service of a cloud. */
  readonly serviceName: string | null
  /** Whether clients are known by their addresses, or by the endpoint that the network names. */
  readonly knowsBy: 'address' | 'endpoint'
  /** Null where the network has no list of its own. Rejects with an `OutsideRefused`. */
  connections(stop: AbortSignal): Promise<readonly EndpointConnection[] | null>
  /** Lets the clients of an endpoint through to this service. Rejects with an `OutsideRefused`. */
  accept(endpointId: string, stop: AbortSignal): Promise<void>
  /** Also of one that was accepted. Rejects with an `OutsideRefused`. */
  reject(endpointIds: readonly string[], stop: AbortSignal): Promise<void>
}
