import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { LoadPage } from '../../features/load/load-page.tsx'
import { t } from '../../i18n/texts.ts'
import { catalogPath, databaseOf, pipePath } from '../catalog-path.ts'
import { parseCatalog } from '../catalog-segment.ts'
import { useNamePage } from '../page-name.ts'
import { editorPath, statementPath } from '../paths.ts'

export function LoadRoute() {
  const params = useParams({ from: '/$region/$aid/catalog/$catalog/$database/load' })
  const { table } = useSearch({ from: '/$region/$aid/catalog/$catalog/$database/load' })
  const onNamed = useNamePage()
  const navigate = useNavigate()
  const { region, aid } = params
  const found = parseCatalog(params.catalog)
  const database = databaseOf(params.database)
  const { catalog = '', catalogType = '' } = found ?? {}
  const toCatalog = catalogPath({ region, aid }, { catalog, catalogType })
  const toDatabase = catalogPath({ region, aid }, { catalog, catalogType }, { database: database ?? '' })
  useEffect(() => {
    onNamed(t('load.title'), [
      { name: catalog, to: toCatalog },
      { name: database ?? '', to: toDatabase },
    ])
  }, [catalog, database, toCatalog, toDatabase, onNamed])
  if (!found || !database) return <Navigate to="/404" replace />
  return (
    <LoadPage
      key={`${catalog} ${database}`}
      catalog={catalog}
      database={database}
      table={table}
      statementPath={(queryId) => statementPath({ region, aid }, queryId)}
      links={{
        tablePath: (name) =>
          catalogPath(
            { region, aid },
            { catalog, catalogType },
            { database, object: { type: 'table', name } },
          ),
        onOpenTab: ({ tabId, tabName }) =>
          void navigate({ href: editorPath({ region, aid }, { activeTab: tabId, tabName }) }),
      }}
      pipePath={(name) => pipePath({ region, aid }, { catalog, catalogType }, { database, pipe: name })}
    />
  )
}
