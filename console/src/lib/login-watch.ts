import type { Session } from './session.ts'
import { personOf } from './session-values.ts'

export interface LoginChange {
  readonly token: string | null
  /** Their login has timed out, or they are back with a new one. Else what was one person's must not reach the next. */
  readonly isSamePerson: boolean
}

/** Reports every other token and every other user. Returns how to stop. */
export function watchLogin(
  session: Pick<Session, 'get' | 'subscribe'>,
  changed: (change: LoginChange) => void,
): () => void {
  let { token } = session.get()
  let person = personOf(session.get())
  return session.subscribe(() => {
    const values = session.get()
    const next = personOf(values)
    const isSamePerson = next === person
    if (isSamePerson && values.token === token) return
    token = values.token
    person = next
    changed({ token, isSamePerson: isSamePerson && person !== null })
  })
}
