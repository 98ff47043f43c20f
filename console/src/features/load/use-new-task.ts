import type { Sent } from '@boathouse/contract/call'
import { load } from '@boathouse/contract/load'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../../lib/api.ts'

interface NewTask {
  /** Null while something of it is missing. */
  readonly order: Omit<Sent<typeof load.create>, 'taskId'> | null
  /** The file is not there yet. */
  readonly isArriving: boolean
  readonly onStarted: () => void
}

/** Creates a load task once: at once, or when the file has arrived. */
export function useNewTask({ order, isArriving, onStarted }: NewTask) {
  const [refusal, setRefusal] = useState<string>()
  const [taskId, setTaskId] = useState(() => crypto.randomUUID())
  const [isChosen, setChosen] = useState(false)
  const create = useAction(load.create, { refreshes: [load.list], silent: true })

  const send = () => {
    if (!order) return
    create.mutate(
      { taskId, ...order },
      {
        onSuccess: onStarted,
        onError: ({ message }) => {
          setRefusal(message)
          setChosen(false)
          setTaskId(crypto.randomUUID())
        },
      },
    )
  }
  const sendNow = useEffectEvent(send)
  useEffect(() => {
    if (isChosen && !isArriving) sendNow()
  }, [isChosen, isArriving])

  return {
    refusal,
    setRefusal,
    isStarting: create.isPending,
    /** It starts when the file is there. */
    isWaiting: isChosen && isArriving,
    choose: () => (isArriving ? setChosen(true) : send()),
    unchoose: () => setChosen(false),
  }
}
