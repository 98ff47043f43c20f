import type { Actor, Caller } from '../../kernel/actor.ts'

/** Who did something, and from where. The service and its operator act without a user. */
export interface Author {
  readonly kind: 'user' | 'operator' | 'service'
  readonly name: string
  readonly userId: string | null
  /** Of the user; administrators of an organisation act on other accounts too. */
  readonly accountId: string | null
  readonly clientIp: string | null
  /** The name of the API key that it was done with. */
  readonly key?: string
}

export const userAuthor = ({ actor, clientIp }: Pick<Caller, 'clientIp'> & { actor: Actor }): Author => ({
  kind: 'user',
  name: actor.user,
  userId: actor.userId,
  accountId: actor.accountId,
  clientIp,
  ...(actor.key && { key: actor.key.name }),
})

const withoutUser = (kind: 'operator' | 'service'): Author => ({
  kind,
  name: kind,
  userId: null,
  accountId: null,
  clientIp: null,
})

/** As people read it. */
export const OPERATOR_NAME = 'The operator of the service'

/** The person who runs the installation, by its command line. */
export const OPERATOR = withoutUser('operator')
/** Jobs, and everything else that no user requested at that moment. */
export const SERVICE = withoutUser('service')
