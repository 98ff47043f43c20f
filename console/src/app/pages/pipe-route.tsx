import { Navigate, useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import '../../i18n/load.ts'
import { PipePage } from '../../features/load/pipes/pipe-page.tsx'
import { t } from '../../i18n/texts.ts'
import { catalogPath, databaseOf, loadPath } from '../catalog-path.ts'
import { parseCatalog } from '../catalog-segment.ts'
import { useNamePage } from '../page-name.ts'
import { statementPath } from '../paths.ts'

export function PipeRoute() {
  const params = useParams({ from: '/$region/$aid/catalog/$catalog/$database/pipe/$pipe' })
  const onNamed = useNamePage()
  const navigate = useNavigate()
  const { region, aid, pipe: name } = params
  const found = parseCatalog(params.catalog)
  const database = databaseOf(params.database)
  const { catalog = '', catalogType = '' } = found ?? {}
  const place = { region, aid }
  const toCatalog = catalogPath(place, { catalog, catalogType })
  const toDatabase = catalogPath(place, { catalog, catalogType }, { database: database ?? '' })
  const toLoad = loadPath(place, { catalog, catalogType }, { database: database ?? '' })
  useEffect(() => {
    onNamed(name, [
      { name: catalog, to: toCatalog },
      { name: database ?? '', to: toDatabase },
      { name: t('load.title'), to: toLoad },
    ])
  }, [name, catalog, database, toCatalog, toDatabase, toLoad, onNamed])
  if (!found || !database) return <Navigate to="/404" replace />
  return (
    <PipePage
      key={`${catalog} ${database} ${name}`}
      catalog={catalog}
      database={database}
      name={name}
      statementPath={(queryId) => statementPath({ region, aid }, queryId)}
      onDropped={() => void navigate({ to: toLoad })}
    />
  )
}
