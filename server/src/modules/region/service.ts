import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/app-error.ts'
import { CENTRAL, isSigned, secretOfRegion, type SignedMessage } from '../../kernel/region-signature.ts'
import { LIMITS } from '@boathouse/contract'
import { RegionMessage, type OrganisationAnswer, type OrganisationQuestion } from './messages.ts'
import type { Regional } from './regional.ts'
import type { RegionSettings } from './region-map.ts'

export interface RegionDoorOptions {
  readonly settings: RegionSettings & {
    readonly secret: string | null
    readonly central: { readonly url: string; readonly secret: string } | null
  }
  readonly regional: Pick<Regional, 'answerSync'>
  /** On the central server: all accounts of the organisation, for a region that has one of them. */
  readonly organisationFor: (region: string, question: OrganisationQuestion) => Promise<OrganisationAnswer>
  readonly clock: Clock
}

const refused = (): AppError =>
  new AppError(
    'BadSignature',
    'This message is not signed by a server that this one knows. Compare the names and secrets of both.',
  )

/** What servers of regions and the central one are answered. */
export function createRegionDoor({ settings, regional, organisationFor, clock }: RegionDoorOptions) {
  const { own, others, secret, central } = settings
  const ownName = central ? own.regionId : CENTRAL

  /** Null: nobody of this name may send anything here. */
  function secretOf(from: string): string | null {
    if (central) return from === CENTRAL ? central.secret : null
    const isKnown = others.some(({ regionId }) => regionId === from)
    return isKnown && secret !== null ? secretOfRegion(secret, from) : null
  }

  return {
    /** Throws unless it comes from a server that this one knows, for this one, and now. */
    requireSigned(message: SignedMessage, signature: string): void {
      const shared = message.to === ownName ? secretOf(message.from) : null
      if (shared === null || !isSigned(shared, message, signature)) throw refused()
      if (!(Math.abs(clock.now().getTime() - Number(message.at)) <= LIMITS.requestAgeMs))
        throw new AppError('StaleRequest', 'The clocks of both servers are more than five minutes apart.')
    },

    async answer({ from, body }: Pick<SignedMessage, 'from' | 'body'>): Promise<object> {
      const message = RegionMessage.safeParse(jsonIn(body))
      if (!message.success)
        throw new AppError(
          'BadInput',
          'This server does not understand the message. Update both to one version.',
        )
      if (message.data.kind === 'sync') {
        if (!central) throw refused()
        return regional.answerSync(message.data)
      }
      if (central) throw refused()
      return organisationFor(from, message.data)
    },
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

export type RegionDoor = ReturnType<typeof createRegionDoor>
