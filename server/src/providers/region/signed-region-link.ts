import { codeNumber, newNonce } from '@boathouse/contract'
import type { Clock } from '../../kernel/clock.ts'
import { OutsideRefused } from '../../kernel/outside.ts'
import { REGION_HEADERS, REGION_MESSAGES_PATH, signatureOf } from '../../kernel/region-signature.ts'
import { createOutsideRequests, textOf } from '../bucket/outside-requests.ts'
import type { RegionLink } from './region-link.ts'

interface SignedLinkOptions {
  /** As the others know this server. */
  readonly from: string
  /** The operator has named them, so they may be in a closed network. */
  readonly urls: readonly string[]
  readonly clock: Clock
}

const LONGEST_ANSWER = 4 * 1024 * 1024
const GIVEN_UP_MS = 30_000

/** Messages over HTTP, signed with the secret that both servers have. */
export function createSignedRegionLink({ from, urls, clock }: SignedLinkOptions): RegionLink {
  const requests = createOutsideRequests({ openEndpoints: urls.map((url) => new URL(url).origin) })
  return {
    async ask({ name, url, secret }, message) {
      const body = JSON.stringify(message)
      const signed = { from, to: name, at: String(clock.now().getTime()), nonce: newNonce(), body }
      const answer = await requests.send(
        {
          to: new URL(url),
          method: 'POST',
          path: REGION_MESSAGES_PATH,
          headers: {
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
            [REGION_HEADERS.from]: from,
            [REGION_HEADERS.to]: name,
            [REGION_HEADERS.at]: signed.at,
            [REGION_HEADERS.nonce]: signed.nonce,
            [REGION_HEADERS.signature]: signatureOf(secret, signed),
          },
          body,
        },
        AbortSignal.timeout(GIVEN_UP_MS),
      )
      const { code, message: why, data } = envelopeIn(await textOf(answer, LONGEST_ANSWER))
      if (code !== codeNumber('Ok')) throw new OutsideRefused('refused', why)
      return data
    },
    close: requests.close,
  }
}

function envelopeIn(text: string): { code: number; message: string; data: unknown } {
  try {
    const { code, message, data } = JSON.parse(text) as Record<string, unknown>
    if (typeof code === 'number') return { code, message: String(message), data }
  } catch (error) {
    throw new OutsideRefused('nonsense', 'its answer cannot be read', { cause: error })
  }
  throw new OutsideRefused('nonsense', 'its answer cannot be read')
}
