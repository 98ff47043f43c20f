import { AWS_KEYS, startAwsService } from './aws-signature.ts'

export const STS_PRINCIPAL = 'arn:aws:iam::111122223333:user/boathouse'

const refusal = (code: string): string =>
  `<ErrorResponse><Error><Type>Sender</Type><Code>${code}</Code><Message>No.</Message></Error></ErrorResponse>`

/** A small STS that checks signatures and lets a role in only with the external ID that its owner has written down. */
export async function startSts(clock: () => Date = () => new Date()) {
  /** External IDs by the ARN of the role that asks for them. */
  const trusts = new Map<string, string>()
  const sessions: string[] = []

  function answerTo(asked: URLSearchParams): readonly [number, string] {
    if (asked.get('Action') === 'GetCallerIdentity')
      return [200, `<GetCallerIdentityResult><Arn>${STS_PRINCIPAL}</Arn></GetCallerIdentityResult>`]
    const wanted = trusts.get(asked.get('RoleArn') ?? '')
    if (wanted === undefined || asked.get('ExternalId') !== wanted) return [403, refusal('AccessDenied')]
    sessions.push(asked.get('RoleSessionName') ?? '')
    const until = new Date(clock().getTime() + Number(asked.get('DurationSeconds')) * 1000).toISOString()
    const keys = `<AccessKeyId>ASIA${sessions.length}</AccessKeyId><SecretAccessKey>s</SecretAccessKey>`
    return [
      200,
      `<Credentials>${keys}<SessionToken>t</SessionToken><Expiration>${until}</Expiration></Credentials>`,
    ]
  }

  const url = await startAwsService({ service: 'sts', refusal, answer: answerTo })
  return {
    trusts,
    sessions,
    settings: { ...AWS_KEYS, BOATHOUSE_AWS_STS_URL: url },
  }
}
