import { type Inspection, load, type Reading, type Upload } from '@boathouse/contract/load'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { queryKeyOf, useAction, useCall } from '../../lib/api.ts'

const LOOK_EVERY_MS = 500

interface Props {
  readonly upload: Upload
  readonly warehouseId: string
  readonly reading: Reading
}

/** The preview of a file: made at once, again with every change of how the file is read, and on request. */
export function useInspection({ upload, warehouseId, reading }: Props) {
  const { uploadId } = upload
  const queries = useQueryClient()
  const [first] = useState(reading)
  const look = useAction(load.inspect, { refreshes: [load.upload], silent: true, isOwnDoing: false })
  const { data = upload } = useCall(
    load.upload,
    { uploadId },
    {
      // A request from before the preview started may be answered afterwards, with the earlier state.
      enabled: upload.inspection !== null || look.isSuccess,
      refetchInterval: ({ state }) => (state.data?.inspection?.state === 'running' ? LOOK_EVERY_MS : false),
    },
  )
  const { inspection } = data
  const [last, setLast] = useState<Inspection | null>(null)
  if (inspection?.state === 'finished' && inspection !== last) setLast(inspection)
  const isLooking = look.isPending || inspection?.state === 'running'
  const isChanged = JSON.stringify(reading) !== JSON.stringify(look.variables?.reading ?? first)
  const lookAtIt = () =>
    look.mutate(
      { uploadId, warehouseId, reading },
      // It runs from now on: until that is asked for, the state before would let another one begin, which is refused.
      { onSuccess: (begun) => void queries.setQueryData(queryKeyOf(load.upload, { uploadId }), begun) },
    )
  const lookFirst = useEffectEvent(() => {
    if (upload.inspection === null) lookAtIt()
  })
  useEffect(() => lookFirst(), [])
  const lookAgain = useEffectEvent(lookAtIt)
  useEffect(() => {
    // What is changed meanwhile is looked at when this is done.
    if (isChanged && !isLooking) lookAgain()
  }, [isChanged, isLooking])
  return {
    inspection,
    /** The last one that succeeded: it is shown until the next is there. */
    last,
    look,
    lookAtIt,
    isLooking,
    /** It would be read in another way than the one that was looked at. */
    isChanged,
  }
}
