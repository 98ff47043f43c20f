import { useParams } from '@tanstack/react-router'
import { type ReactNode, useMemo } from 'react'
import { PlacesContext } from '../../features/activity/places.ts'
import { activityPath, editorPath, schedulesPath, statementPath } from '../paths.ts'

/** The addresses of the activity pages, for links to them on other pages. */
export function Placed({ children }: { children: ReactNode }) {
  const { region, aid } = useParams({ from: '/$region/$aid' })
  const places = useMemo(
    () => ({
      statement: (queryId: string) => statementPath({ region, aid }, queryId),
      editor: editorPath({ region, aid }),
      schedules: schedulesPath({ region, aid }),
      list: (search: { readonly warehouse?: string }) => activityPath({ region, aid }, search),
    }),
    [region, aid],
  )
  return <PlacesContext value={places}>{children}</PlacesContext>
}
