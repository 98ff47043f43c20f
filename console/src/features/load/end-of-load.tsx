import { type LoadLinks, LoadOutcome } from './load-outcome.tsx'
import { StartLoad } from './target-panel.tsx'
import type { useNewTask } from './use-new-task.ts'

interface Props {
  readonly task: ReturnType<typeof useNewTask>
  readonly links: LoadLinks
  readonly onStart: () => void
  /** Null: other files are still to be loaded. */
  readonly onDone: (() => void) | null
}

/** The load is started here, its result shown, and started again when it failed. */
export const EndOfLoad = ({ task, links, onStart, onDone }: Props) => (
  <>
    {task.taskId !== null && (
      <LoadOutcome key={task.taskId} taskId={task.taskId} links={links} onOver={task.over} onDone={onDone} />
    )}
    {!task.isUnderWay && (
      <StartLoad
        refusal={task.refusal}
        isStarting={task.isStarting}
        isChosen={task.isWaiting}
        isAgain={task.taskId !== null}
        onStart={onStart}
        onChange={task.unchoose}
      />
    )}
  </>
)
