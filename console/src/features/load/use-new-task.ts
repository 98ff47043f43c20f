import type { Sent } from '@boathouse/contract/call'
import { load } from '@boathouse/contract/load'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../../lib/api.ts'

interface NewTask {
  /** Null while something of it is missing. */
  readonly order: Omit<Sent<typeof load.create>, 'taskId'> | null
  /** The file is not there yet. */
  readonly isArriving: boolean
}

/** Creates a load task once: at once, or when the file has arrived. After a failure it can be created again. */
export function useNewTask({ order, isArriving }: NewTask) {
  const [refusal, setRefusal] = useState<string>()
  const [nextId, setNextId] = useState(() => crypto.randomUUID())
  const [made, setMade] = useState<{ readonly taskId: string; readonly isUnderWay: boolean } | null>(null)
  const [isChosen, setChosen] = useState(false)
  const create = useAction(load.create, { refreshes: [load.list], silent: true })

  const send = () => {
    if (!order) return
    create.mutate(
      { taskId: nextId, ...order },
      {
        onSuccess: ({ taskId }) => setMade({ taskId, isUnderWay: true }),
        onError: ({ message }) => setRefusal(message),
        onSettled: () => {
          setChosen(false)
          setNextId(crypto.randomUUID())
        },
      },
    )
  }
  const sendNow = useEffectEvent(send)
  useEffect(() => {
    if (isChosen && !isArriving) sendNow()
  }, [isChosen, isArriving])

  const isStarting = create.isPending
  const isWaiting = isChosen && isArriving
  return {
    refusal,
    setRefusal,
    isStarting,
    /** It starts when the file is there. */
    isWaiting,
    /** The last one that was created. */
    taskId: made?.taskId ?? null,
    isUnderWay: made?.isUnderWay ?? false,
    phase: made
      ? ('started' as const)
      : isStarting
        ? ('starting' as const)
        : isWaiting
          ? ('chosen' as const)
          : ('open' as const),
    choose: () => (isArriving ? setChosen(true) : send()),
    unchoose: () => setChosen(false),
    /** It has failed or was cancelled: what was chosen can be changed and loaded again. */
    over: (isAgain: boolean) => setMade((before) => before && { ...before, isUnderWay: !isAgain }),
  }
}
