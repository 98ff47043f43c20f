import type { Sent } from '@boathouse/contract/call'
import { load, type Reading } from '@boathouse/contract/load'
import { useEffect, useEffectEvent, useState } from 'react'
import { useAction } from '../../lib/api.ts'
import type { LoadEnd } from './load-outcome.tsx'
import type { FirstLoad } from './more-file.ts'

interface NewTask {
  /** Null while something of it is missing. */
  readonly order: Omit<Sent<typeof load.create>, 'taskId'> | null
  /** How other files are read, which are loaded as this one. */
  readonly reading: Reading
  readonly fileName: string
  /** The file is not there yet. */
  readonly isArriving: boolean
}

interface Made {
  readonly taskId: string
  readonly end: LoadEnd
  /** As it was created, whatever is chosen since. */
  readonly as: FirstLoad
}

/** Creates a load task once: at once, or when the file has arrived. After a failure it can be created again. */
export function useNewTask({ order, reading, fileName, isArriving }: NewTask) {
  const [refusal, setRefusal] = useState<string>()
  const [nextId, setNextId] = useState(() => crypto.randomUUID())
  const [made, setMade] = useState<Made | null>(null)
  const [isChosen, setChosen] = useState(false)
  const create = useAction(load.create, { refreshes: [load.list], silent: true })

  const send = () => {
    if (!order) return
    create.mutate(
      { taskId: nextId, ...order },
      {
        onSuccess: ({ taskId }) => setMade({ taskId, end: 'none', as: { fileName, reading, order } }),
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
    isUnderWay: made !== null && made.end !== 'not loaded',
    /** How it was loaded; null: it is not, or not yet. */
    loadedAs: made?.end === 'loaded' ? made.as : null,
    phase: made
      ? ('started' as const)
      : isStarting
        ? ('starting' as const)
        : isWaiting
          ? ('chosen' as const)
          : ('open' as const),
    choose: () => (isArriving ? setChosen(true) : send()),
    unchoose: () => setChosen(false),
    /** When it has failed or was cancelled, what was chosen can be changed and loaded again. */
    over: (end: LoadEnd) => setMade((before) => before && { ...before, end }),
  }
}
