import { namesOf, type TableLike } from '@boathouse/contract/schema-objects'
import { t } from '../../i18n/texts.ts'

/** A table, view or materialized view, as a page is about it. */
export interface ThisObject {
  readonly catalog: string
  readonly database: string
  readonly type: TableLike
  readonly name: string
}

/** In the form of the calls. */
export const inputOf = ({ catalog, database, type, name }: ThisObject) => ({
  catalog,
  databaseName: database,
  ...namesOf(type, name),
})

export const typeName = (type: TableLike): string =>
  ({
    table: t('catalog.table'),
    view: t('catalog.view'),
    materialized_view: t('catalog.materializedView'),
  })[type]
