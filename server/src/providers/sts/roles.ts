/** A role of somebody else's AWS account, and the proof that it was meant for the one who uses it. */
interface AssumedRole {
  readonly roleArn: string
  readonly externalId: string
  /** Names the session in the logs of the role's owner. */
  readonly sessionName: string
}

export interface RoleKeys {
  readonly accessKey: string
  readonly secretKey: string
  readonly sessionToken: string
  /** In milliseconds since 1970. */
  readonly until: number
}

/** Keys of roles for an hour or less. Everything rejects with an `OutsideRefused`. */
export interface Roles {
  /** Who the service is to AWS, as an ARN: what the trust policy of a role names. */
  identity(stop: AbortSignal): Promise<string>
  assume(role: AssumedRole, stop: AbortSignal): Promise<RoleKeys>
}
