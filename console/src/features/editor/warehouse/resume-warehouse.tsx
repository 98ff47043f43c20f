import { hasPermission } from '@boathouse/contract/roles'
import { warehouse } from '@boathouse/contract/warehouse'
import { t } from '../../../i18n/texts.ts'
import { useAction } from '../../../lib/api.ts'
import { useSession } from '../../../lib/session.ts'
import { Button } from '../../../ui/index.ts'
import { useEditorRuntime } from '../editor-runtime.ts'
import { useEditorState } from '../tabs/editor-store.ts'
import { IconPlayerPlayFilled } from '../icons.ts'
import type { Run } from '../running/run.ts'
import { useWarehouses, warehouseOf } from './use-warehouses.ts'
import styles from '../results/results.module.css'

/** In place of the result, for users who can resume the tab's warehouse, then run again. */
export function ResumeWarehouse({ tabId, run }: { tabId: string; run: Run }) {
  const { store, runner } = useEditorRuntime()
  const { user } = useSession()
  const all = useWarehouses()
  const chosen = useEditorState(store, ({ tabs }) => tabs[tabId]?.warehouse ?? '')
  const resume = useAction(warehouse.resume, { silent: true, refreshes: [warehouse.list] })
  const found = all && warehouseOf(all, chosen)
  if (!found || !user) return null
  if (!hasPermission(user.perms, 'warehouse:resume'))
    return <span>{t('editor.error.mayNotResume', { warehouse: found.name })}</span>
  const isRunning = resume.isSuccess || found.status === 'Running'
  const runAgain = () => runner.run(tabId, { sql: run.sql, from: run.from })
  // One button for both steps, so that the keyboard stays where it is.
  return (
    <>
      <Button
        size="sm"
        variant="primary"
        loading={resume.isPending}
        leftIcon={isRunning && <IconPlayerPlayFilled size={12} aria-hidden />}
        onClick={() => (isRunning ? runAgain() : resume.mutate({ warehouseId: found.warehouseId }))}
      >
        {t(isRunning ? 'editor.error.runAgain' : 'editor.error.resume', { warehouse: found.name })}
      </Button>
      {resume.isSuccess && <span>{t('editor.error.resumed', { warehouse: found.name })}</span>}
      {resume.isError && <span className={styles['failed']}>{resume.error.message}</span>}
    </>
  )
}
