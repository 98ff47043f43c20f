import { integration } from '@boathouse/contract/integration'
import type { SignInDoor } from '@boathouse/contract/sign-ins'
import { useState } from 'react'
import { useAction, useCall } from '../../lib/api.ts'

/** How often the service is asked while somebody waits. */
const ASK_EVERY_MS = 1_000

interface Started {
  readonly mark: string
  readonly at: number
}

/** Waits until a program comes in by this door; what it shows was said by the service, never assumed. */
export function useConnectionTest(door: SignInDoor) {
  const [started, setStarted] = useState<Started | null>(null)
  const begin = useAction(integration.connections, { isOwnDoing: false })
  const asked = useCall(
    integration.connections,
    { since: started?.mark ?? null },
    {
      enabled: started !== null,
      staleTime: 0,
      refetchInterval: ({ state }) =>
        state.data?.connections.some((one) => one.door === door && one.outcome === 'signedIn')
          ? false
          : ASK_EVERY_MS,
    },
  )
  const connections = (started && asked.data?.connections.filter((one) => one.door === door)) ?? []
  const isConnected = connections.some(({ outcome }) => outcome === 'signedIn')
  const lastAsked = Math.max(asked.dataUpdatedAt, asked.errorUpdatedAt)
  return {
    connections,
    isConnected,
    isWaiting: started !== null && !isConnected,
    isStarting: begin.isPending,
    /** As of the last time that the service was asked. */
    seconds: started === null ? 0 : Math.max(0, Math.round((lastAsked - started.at) / 1000)),
    isUnreachable: begin.isError || asked.isError,
    isInterrupted: asked.data?.isInterrupted ?? false,
    start: () =>
      begin.mutate({ since: null }, { onSuccess: ({ mark }) => setStarted({ mark, at: Date.now() }) }),
    cancel: () => setStarted(null),
  }
}
