/** What a window remembers while the browser is at the issuer's. */
export interface BegunSso {
  readonly secret: string
  readonly accountId: string
  /** The page that the user opened before sign-in. */
  readonly next: string | null
  /** The window was opened for this alone, by a page that waits for the login. */
  readonly closes: boolean
  /** Somebody who is signed in connects their user. */
  readonly connects?: true
}

const KEY = 'boathouse.sso'

export const rememberSso = (begun: BegunSso, { sessionStorage }: Window): void =>
  sessionStorage.setItem(KEY, JSON.stringify(begun))

/** Once: an answer is valid for one sign-in. */
export function takeSso(): BegunSso | null {
  const text = window.sessionStorage.getItem(KEY)
  window.sessionStorage.removeItem(KEY)
  return text === null ? null : (JSON.parse(text) as BegunSso)
}

const CONFIRMING_KEY = 'boathouse.sso.confirming'

/** The mailed link opens another window: the secret waits for it where all windows of this browser see it. */
export const rememberConfirming = ({ secret }: BegunSso): void =>
  window.localStorage.setItem(CONFIRMING_KEY, secret)

export const confirmingSecret = (): string | null => window.localStorage.getItem(CONFIRMING_KEY)

export const forgetConfirming = (): void => window.localStorage.removeItem(CONFIRMING_KEY)
