import { useState } from 'react'
import { isCallError } from './api.ts'

interface Options {
  /** False: the input is not valid yet, and the form shows why. */
  readonly onConfirm: () => Promise<boolean>
  readonly onDone: () => void
}

/** One change that somebody confirms: whether it is under way, and why it was refused. */
export function useConfirm({ onConfirm, onDone }: Options) {
  const [isWorking, setWorking] = useState(false)
  const [refusal, setRefusal] = useState<string>()
  const confirm = async (): Promise<void> => {
    setRefusal(undefined)
    setWorking(true)
    try {
      if (await onConfirm()) onDone()
    } catch (error) {
      if (!isCallError(error)) throw error
      setRefusal(error.message)
    } finally {
      setWorking(false)
    }
  }
  return { confirm, isWorking, refusal }
}
