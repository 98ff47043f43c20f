import { randomUUID } from 'node:crypto'
import { decodePassword, LIMITS } from '@boathouse/contract'
import { refuseKey } from '../../kernel/actor.ts'
import { AppError } from '../../kernel/app-error.ts'
import { administering, hashPassword } from '../user/passwords.ts'
import { giveSamples } from '../editor/saved-queries-store.ts'
import { orTaken } from '../user/taken-name.ts'
import { type From, requireRole } from './changes.ts'
import type { PeopleParts } from './people.ts'

export interface PersonDraft {
  readonly user: string
  readonly email: string | null
  /** In the encoding of the call. */
  readonly password: string | null
  readonly roles: readonly string[]
  /** For a program, with API keys alone. */
  readonly isService?: boolean
}

type NewPersonParts = Pick<
  PeopleParts,
  'store' | 'people' | 'rank' | 'clock' | 'change' | 'links' | 'mails' | 'requireAccepted'
>

/** Adds a user: for a program, invited by mail to choose a password, or with one that the administrator chose. */
export function createNewPerson(parts: NewPersonParts) {
  const { store, people, rank, clock, change, links, mails, requireAccepted } = parts

  return async function newPerson(
    from: From,
    draft: PersonDraft,
  ): Promise<{ user: string; mailedTo: string | null }> {
    const { accountId, user: invitedBy } = from.actor
    const { user, email, password, isService = false } = draft
    if (password !== null) refuseKey(from.actor)
    if (isService && (email !== null || password !== null))
      throw new AppError('BadInput', 'A service user has neither an email address nor a password.')
    if (email === null && password === null && !isService)
      throw new AppError('BadInput', 'Enter an email address for the invitation, or a password.')
    if (email !== null) requireAccepted(email)
    const passwordHash =
      password === null ? null : await hashPassword(decodePassword(password), administering(from.actor))
    const mailedTo = passwordHash === null ? email : null
    const userId = randomUUID()
    await orTaken({ name: user, email }, () =>
      change(from, async (trx) => {
        if ((await people.countAll(trx, accountId)) >= LIMITS.usersPerAccount)
          throw new AppError('LimitReached', `An account has at most ${LIMITS.usersPerAccount} users.`)
        const given = await Promise.all(
          draft.roles.map((role) => requireRole(store, trx, { accountId, role })),
        )
        await rank.require(trx, from.actor, { moved: given })
        const at = clock.now()
        const isOrgAdmin = given.includes('org_admin')
        const roles = [...new Set(['public', ...given])]
        await people.insert(trx, {
          userId,
          accountId,
          name: user,
          email,
          passwordHash,
          isOrgAdmin,
          isService,
          roles,
          at,
        })
        if (!isService) await giveSamples(trx, { accountId, userId, at })
        if (mailedTo !== null) {
          const token = await links.create(trx, { purpose: 'invitation', subject: userId, accountId })
          const accountName = await people.accountName(trx, accountId)
          const details = { accountId, accountName, user, invitedBy, token }
          await mails.write(trx, { to: mailedTo, accountId, kind: 'invitation', details })
        }
        return {
          audit: {
            action: 'user.create',
            object: { type: 'user', id: userId, name: user },
            before: null,
            after: { email, roles: given, ...(isService && { service: true }) },
          },
          userIds: [],
        }
      }),
    )
    return { user, mailedTo }
  }
}
