import { useState } from 'react'
import { t } from '../../i18n/texts.ts'
import { type LoadLinks, LoadOutcome } from './load-outcome.tsx'
import { StartLoad } from './target-panel.tsx'
import type { useNewTask } from './use-new-task.ts'

interface Props {
  readonly task: ReturnType<typeof useNewTask>
  /** The file was read as it is to be loaded, or cannot be. */
  readonly isRead: boolean
  readonly links: LoadLinks
  readonly onStart: () => void
  /** Null: other files are still to be loaded. */
  readonly onDone: (() => void) | null
}

/** The load is started here, its result shown, and started again when it failed. */
export function EndOfLoad({ task, isRead, links, onStart, onDone }: Props) {
  // Asked for while the file is being read, which is said until it is read.
  const [isEarly, setEarly] = useState(false)
  if (isEarly && isRead) setEarly(false)
  const start = () => {
    setEarly(!isRead)
    onStart()
  }
  return (
    <>
      {task.taskId !== null && (
        <LoadOutcome
          key={task.taskId}
          taskId={task.taskId}
          links={links}
          onOver={task.over}
          onDone={onDone}
        />
      )}
      {!task.isUnderWay && (
        <StartLoad
          refusal={isEarly ? t('load.reading.changed') : task.refusal}
          isStarting={task.isStarting}
          isChosen={task.isWaiting}
          isAgain={task.taskId !== null}
          onStart={start}
          onChange={task.unchoose}
        />
      )}
    </>
  )
}
