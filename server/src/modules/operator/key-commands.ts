import { KEY_DOORS, KeyAddresses, KeyDoor, KeyId, KeyName, LIMITS, Moment } from '@boathouse/contract'
import { z } from 'zod'
import type { Keys } from '../key/service.ts'
import { type Command, command, OfUser } from './command.ts'

export interface KeyCommandParts {
  readonly keys: Pick<Keys, 'asOperator' | 'list' | 'create' | 'rotate' | 'revoke'>
}

const NewKey = OfUser.extend({
  name: KeyName,
  roles: z.array(z.string()).default([]),
  doors: z
    .array(KeyDoor)
    .min(1)
    .default([...KEY_DOORS]),
  addresses: z.optional(KeyAddresses),
  expires: z.nullable(Moment).default(null),
})
const OfKey = OfUser.extend({ key: KeyId })
const Hours = z.coerce
  .number('overlap: Give a number of hours.')
  .min(0)
  .max(LIMITS.keyOverlapHours, `overlap: At most ${LIMITS.keyOverlapHours} hours.`)
  .default(24)

/** API keys of any user, for the operator. */
export function createKeyCommands({ keys }: KeyCommandParts): Record<string, Command> {
  return {
    'api key list': command(OfUser, async ({ account, user }) =>
      (await keys.list(keys.asOperator(account, user))).map(({ keyId, lastUse, ...key }) => ({
        key: keyId,
        name: key.name,
        roles: key.roles?.join(',') ?? 'all',
        doors: key.doors.join(','),
        addresses: key.addresses === '' ? 'all' : key.addresses,
        expires: key.expiresAt ?? 'never',
        oldSecretUntil: key.formerUntil,
        lastUse: lastUse && `${lastUse.at} ${lastUse.clientIp}`,
      })),
    ),
    'api key create': command(
      NewKey,
      async ({ account, user, expires: expiresAt, addresses = '', ...draft }) => {
        const { key, secret } = await keys.create(keys.asOperator(account, user), {
          ...draft,
          addresses,
          expiresAt,
        })
        return { key: key.keyId, user: key.user, name: key.name, secret }
      },
    ),
    'api key rotate': command(
      OfKey.extend({ overlap: Hours }),
      async ({ account, user, key: keyId, overlap: overlapHours }) => {
        const { key, secret } = await keys.rotate(keys.asOperator(account, user), { keyId, overlapHours })
        return { key: key.keyId, name: key.name, secret, oldSecretUntil: key.formerUntil }
      },
    ),
    'api key revoke': command(OfKey, async ({ account, user, key }) => {
      await keys.revoke(keys.asOperator(account, user), key)
      return { revoked: key }
    }),
  }
}
