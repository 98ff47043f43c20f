import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { ACCESS_KEY, isSigned, SECRET_KEY } from './aws-signature.ts'

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

  const server = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const part of request as AsyncIterable<Buffer>) body += part.toString('utf8')
      const [status, text] = isSigned(request, body)
        ? answerTo(new URLSearchParams(body))
        : ([403, refusal('SignatureDoesNotMatch')] as const)
      response.writeHead(status, { 'content-type': 'text/xml' }).end(text)
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return {
    trusts,
    sessions,
    settings: {
      BOATHOUSE_AWS_ACCESS_KEY: ACCESS_KEY,
      BOATHOUSE_AWS_SECRET_KEY: SECRET_KEY,
      BOATHOUSE_AWS_STS_URL: `http://127.0.0.1:${port}`,
    },
  }
}
