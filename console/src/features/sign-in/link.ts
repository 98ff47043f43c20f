import type { Call, Output, Sent } from '@boathouse/contract/call'
import { useEffect, useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { send } from '../../lib/api.ts'
import { refusalText } from './refusal.ts'

export type Followed<T> =
  | { readonly state: 'asking' }
  | { readonly state: 'good'; readonly data: T }
  | { readonly state: 'refused'; readonly message: string }

/** What the service says about a value of the address; requested once. */
export function useFollowed<C extends Call>(call: C, input: Sent<C>): Followed<Output<C>> {
  const [followed, setFollowed] = useState<Followed<Output<C>>>({ state: 'asking' })
  const text = JSON.stringify(input)
  useEffect(() => {
    const stop = new AbortController()
    send(call, JSON.parse(text) as Sent<C>, { silent: true, signal: stop.signal }).then(
      (data) => setFollowed({ state: 'good', data }),
      (failure: unknown) => {
        if (!stop.signal.aborted)
          setFollowed({ state: 'refused', message: refusalText(failure, t('signIn.noAnswer')) })
      },
    )
    return () => stop.abort()
  }, [call, text])
  return followed
}
