import { Navigate, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useMemo } from 'react'
import { CatalogListPage } from '../../features/catalog/catalog-list-page.tsx'
import { CatalogPage } from '../../features/catalog/catalog-page.tsx'
import { DatabasePage } from '../../features/catalog/database-page.tsx'
import { ObjectPage } from '../../features/catalog/object-page.tsx'
import { type Places, PlacesContext, type Shown } from '../../features/catalog/places.ts'
import { catalogPath, databaseOf, loadPath, objectOf, pipePath } from '../catalog-path.ts'
import { type CatalogParams, parseCatalog } from '../catalog-segment.ts'
import { useNamePage } from '../page-name.ts'
import { editorPath, statementPath } from '../paths.ts'

/** Addresses of what is in one catalog; of the list of them, of the catalogs themselves. */
function Placed({ in: inside, children }: { in?: CatalogParams | undefined; children: ReactNode }) {
  const { region, aid } = useParams({ from: '/$region/$aid' })
  const navigate = useNavigate()
  const { catalog = '', catalogType = '' } = inside ?? {}
  const places = useMemo((): Places => {
    const place = { region, aid }
    const of = { catalog, catalogType }
    return {
      catalogOf: ({ name, type }) => catalogPath(place, { catalog: name, catalogType: type }),
      databaseOf: (database) => catalogPath(place, of, { database }),
      objectOf: ({ database, type, name }) => catalogPath(place, of, { database, object: { type, name } }),
      pipeOf: (pipe) => pipePath(place, of, pipe),
      statementOf: (queryId) => statementPath(place, queryId),
      queryOf: ({ tabId, tabName }) => editorPath(place, { activeTab: tabId, tabName }),
      loadInto: ({ database, table }) =>
        loadPath(place, of, {
          database,
          ...(table === undefined ? {} : { object: { type: 'table', name: table } }),
        }),
      go: (href) => void navigate({ href }),
      openTab: ({ tabId, tabName }) =>
        void navigate({ href: editorPath(place, { activeTab: tabId, tabName }) }),
    }
  }, [region, aid, catalog, catalogType, navigate])
  return <PlacesContext value={places}>{children}</PlacesContext>
}

function useShow(): (search: Shown) => void {
  const navigate = useNavigate()
  return (search) => void navigate({ to: '.', search, replace: true })
}

export function CatalogListRoute() {
  const shown = useSearch({ from: '/$region/$aid/catalog' })
  const onShow = useShow()
  return (
    <Placed>
      <CatalogListPage shown={shown} onShow={onShow} />
    </Placed>
  )
}

/** A catalog, or a database in it. */
export function CatalogRoute() {
  const params = useParams({ from: '/$region/$aid/catalog/$catalog/{-$database}' })
  const shown = useSearch({ from: '/$region/$aid/catalog/$catalog/{-$database}' })
  const navigate = useNavigate()
  const onShow = useShow()
  const { region, aid } = params
  const found = parseCatalog(params.catalog)
  const database = params.database === undefined ? undefined : databaseOf(params.database)
  const onNamed = useNamePage()
  const { catalog = '', catalogType = '' } = found ?? {}
  const own = catalogPath({ region, aid }, { catalog, catalogType })
  useEffect(() => {
    if (database) onNamed(database, [{ name: catalog, to: own }])
    else onNamed(catalog)
  }, [catalog, own, database, onNamed])
  if (!found || database === null) return <Navigate to="/404" replace />
  return (
    <Placed in={found}>
      {database ? (
        <DatabasePage
          key={database}
          catalog={catalog}
          database={database}
          shown={shown}
          onShow={onShow}
          onGone={() => void navigate({ href: own })}
        />
      ) : (
        <CatalogPage {...found} shown={shown} onShow={onShow} />
      )}
    </Placed>
  )
}

/** A table, a view or a materialized view. */
export function CatalogObjectRoute() {
  const params = useParams({ from: '/$region/$aid/catalog/$catalog/$database/$object' })
  const shown = useSearch({ from: '/$region/$aid/catalog/$catalog/$database/$object' })
  const navigate = useNavigate()
  const onShow = useShow()
  const onNamed = useNamePage()
  const { region, aid } = params
  const found = parseCatalog(params.catalog)
  const database = databaseOf(params.database)
  const object = objectOf(params.object)
  const { catalog = '', catalogType = '' } = found ?? {}
  const name = object?.name ?? ''
  const toCatalog = catalogPath({ region, aid }, { catalog, catalogType })
  const toDatabase = catalogPath({ region, aid }, { catalog, catalogType }, { database: database ?? '' })
  useEffect(() => {
    onNamed(name, [
      { name: catalog, to: toCatalog },
      { name: database ?? '', to: toDatabase },
    ])
  }, [name, catalog, database, toCatalog, toDatabase, onNamed])
  if (!found || !database || !object) return <Navigate to="/404" replace />
  return (
    <Placed in={found}>
      <ObjectPage
        key={`${object.type} ${name}`}
        of={{ catalog, database, ...object }}
        shown={shown}
        onShow={onShow}
        onGone={() => void navigate({ href: toDatabase })}
      />
    </Placed>
  )
}
