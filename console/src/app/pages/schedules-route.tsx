import { useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { SchedulesPage } from '../../features/editor/schedules/schedules-page.tsx'
import { useNamePage } from '../page-name.ts'
import { editorPath, statementPath } from '../paths.ts'

export function SchedulesRoute() {
  const { region, aid } = useParams({ from: '/$region/$aid' })
  const onNamed = useNamePage()
  const paths = useMemo(
    () => ({
      editor: editorPath({ region, aid }),
      query: ({ tabId, tabName }: { tabId: string; tabName: string }) =>
        editorPath({ region, aid }, { activeTab: tabId, tabName }),
      statement: (queryId: string) => statementPath({ region, aid }, queryId),
    }),
    [region, aid],
  )
  return <SchedulesPage paths={paths} onNamed={onNamed} />
}
