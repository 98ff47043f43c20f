import { Navigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { CatalogListPage, CatalogPage, DatabasePage } from '../../features/catalog/catalog-pages.tsx'
import { catalogPath, databaseOf } from '../catalog-path.ts'
import { parseCatalog } from '../catalog-segment.ts'
import { useNamePage } from '../page-name.ts'

export function CatalogListRoute() {
  const place = useParams({ from: '/$region/$aid' })
  return (
    <CatalogListPage
      addressOf={({ name, type }) => catalogPath(place, { catalog: name, catalogType: type })}
    />
  )
}

/** A catalog, or a database in it. */
export function CatalogRoute() {
  const params = useParams({ from: '/$region/$aid/catalog/$catalog/{-$database}' })
  const { region, aid } = params
  const found = parseCatalog(params.catalog)
  const database = params.database === undefined ? undefined : databaseOf(params.database)
  const onNamed = useNamePage()
  const { catalog = '', catalogType = '' } = found ?? {}
  useEffect(() => {
    const own = catalogPath({ region, aid }, { catalog, catalogType })
    if (database) onNamed(database, [{ name: catalog, to: own }])
    else onNamed(catalog)
  }, [region, aid, catalog, catalogType, database, onNamed])
  if (!found || database === null) return <Navigate to="/404" replace />
  if (database) return <DatabasePage catalog={catalog} database={database} />
  return <CatalogPage {...found} addressOf={(inside) => catalogPath({ region, aid }, found, inside)} />
}
