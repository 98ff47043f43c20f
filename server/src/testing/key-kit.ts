import { type ApiKey, type Call, key, type Sent } from '@boathouse/contract'
import { AppError } from '../kernel/app-error.ts'
import { signedCall } from './signed-call.ts'
import type { Answer, TestApp, TestUser } from './start-app.ts'

/** A call as a program makes it that has a key and nothing else. */
export async function callByKey<C extends Call>(
  app: TestApp,
  secret: string,
  { call, input }: { call: C; input: Sent<C> },
): Promise<Answer<C>> {
  const { headers: _, ...request } = signedCall(call, input, { token: '', now: app.clock.now() })
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' }
  const answer = await app.http.inject({ ...request, headers })
  return answer.json<Answer<C>>()
}

export async function makeKey(
  user: TestUser,
  draft: Partial<Sent<typeof key.create>> = {},
): Promise<{ readonly key: ApiKey; readonly secret: string }> {
  const answer = await user.call(key.create, { name: 'etl', ...draft })
  if (answer.message !== '') throw new Error(answer.message)
  return answer.data
}

/** What a promise was refused with; `Ok` when it was not. */
export const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'Ok',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  )
